// Package cut chooses the frames of some RPCs or connections, for package extract to copy. The
// captures are read twice for that:
//
//	captures ──> Chooser (which RPCs, the frames that carried them; which connections)
//	captures ──> Marker  (retransmissions, acknowledgements, setup and end) ──> extract.Set
//
// It takes one bit for each frame, and what it remembers of the connections that RPCs were chosen
// of.
package cut
