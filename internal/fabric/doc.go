// Package fabric is a transport.Provider without devices, for tests: both sides of each
// connection are in one process, work is done when it is published, and faults break a
// connection as devices do, with the status that they give.
//
//	Dial ────> request ──Next, Accept──> connection <──other──> connection
//	                                        │ Send ─────────────> a Receive that is published
//	                                        │ Read, Write ──────> a handle, its bounds and access
//	                                        └ Bind, Invalidate ─> its own handles
//	Events:  what crossed, in order ──Frames──> the wire as a capture (internal/build)
//
// A device is like Soft-RoCE, Soft-iWARP or an InfiniBand adapter by what transport.Device says
// of it. On iWARP whoever posts work that the peer refuses is told only that it was flushed,
// and the side that accepted may not begin.
//
//	fault                                     who published it     the peer
//	no Receive is published                      13                the peer disconnected
//	a message longer than the Receive         11                1, and the end
//	no such memory, its bounds, its access    10                flushed, and the end
//	Send With Invalidate of no window         11                9, and the end
//	a window that is bound already            6                 the peer disconnected
//
// Nothing is waited for but in Dial, Accept and the two Next, and no goroutine is started.
package fabric
