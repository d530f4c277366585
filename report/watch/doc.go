// Package watch keeps what a screen shows of traffic while it is followed: figures of each
// connection over the last seconds, and the newest of its RPCs and findings.
//
//	check.Check ──View──> noter            on the goroutine that follows the connection
//	                            │ notes        all that is taken of events
//	                            v
//	                        Watch            in the order of the capture
//	                            │ clock        what time it is: capture's, or wall's
//	                            │ row          a connection
//	                            │   ├─ window  the last seconds, a slot each
//	                            │   └─ lines   its newest RPCs and findings
//	                            v
//	                   Watch.Snapshot ──> Snapshot   on the screen's, about twice a second
//
// Where one goroutine does all, each event is taken when it was noted; else those of a batch
// after it, so that what is shown, and what does not fit, is the same with any number of workers.
//
// For a frame nothing is allocated, and what is kept is bounded: 256 connections, of each 6
// slots, 64 RPCs and 32 findings. Further connections count in the figures of all.
package watch
