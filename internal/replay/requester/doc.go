// Package requester replays the client of a captured conversation against a live server: it
// sends the captured calls over a connection of its own, lets the server read and write the
// memory that they advertise, and compares each reply with the captured one.
//
//	script.Conversation ──NewPlan──> Plan      what would be sent, changed, and cannot be
//	                                   │
//	                                  Run ──> transport.Connection
//	                                   │
//	   call 1 ──Send──────────────────>│<── RDMA Read, Write of what it advertises
//	   call 2 ──Send──────────────────>│
//	          <──Send [With Invalidate]│    reply to call 1: compared
//	   call 3 waits for what it waited for in the capture: replies, time, credits
//	                                   │
//	                                   └──> Result: an Exchange for each call, with Differences
//
// One goroutine does all this: it posts what may be published, then waits for the next
// completion or the time of the next call. Nothing outlives Run.
package requester
