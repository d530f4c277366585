// Package front looks at each frame of a capture in its order, before anything
// follows what the frames say: it counts them, knows which addresses send right
// ICRCs, and says which shard of the work a frame is for.
//
//	           ┌──> shard 0: Tracker, messages, RPCs, rules ──┐
//	frames ──> Front ──> shard 1: the same                    ├──> put together by Ordinal
//	           └──> shard 2                                   ┘
//
// All frames of a connection go to one shard, and so does whatever may turn out to
// be of it. A TCP segment names both ends of its connection. A packet of a queue
// pair names only the one that it is for: which two directions are one connection
// is declared by connection management, or shows later. So
//
//   - what connection management sets up goes to a shard of its own choice: the
//     REQ and the REP name the queue pairs;
//   - while a setup between two hosts is not complete, others between them go to
//     the same shard;
//   - packets for queue pairs of which no setup was seen go, of the same two hosts,
//     to one shard, and so do the setups that come later: any of these may turn
//     out to be the other direction of any other.
package front
