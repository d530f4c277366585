// Package shed decides which connections are not followed while analysis cannot keep up
// with an interface, or needs more memory than it may have.
//
//	frame ──> bucket, a hash of its two addresses
//	          bucket < level: not followed, counted
//	          else:           followed
//
// A bucket has both directions of a connection and all connections between two hosts, so what is
// followed is followed whole. The level is 0 in good times. It rises fast, by a part of the
// frames that came lately, as long as the ring fills or memory is short, and falls slowly: when it
// was calm for a while, an eighth of what is followed is taken in again, or more where there is much
// less traffic than there was. Where that was too much, the while doubles.
//
//	level                  ____
//	                     _|    |____
//	                    |           |_______
//	       _____________|                   |_________
//	             after   calm  calm   calm
//
// A connection whose bucket is shed is let go, and so is all that waits for its frames
// (flow.Conn.LetGo); when it is taken in again it is like one whose capture began late.
package shed
