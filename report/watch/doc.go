// Package watch keeps what a screen shows of traffic while it is followed: figures of each
// connection over the last seconds, and the newest of its RPCs and findings.
//
//	check.Check ──View──> Watch            on the Dissector's goroutine
//	                            │ clock        what time it is: capture's, or wall's
//	                            │ row          a connection
//	                            │   ├─ window  the last seconds, a slot each
//	                            │   └─ lines   its newest RPCs and findings
//	                            v
//	                   Watch.Snapshot ──> Snapshot   on the screen's, about twice a second
//
// For a frame nothing is allocated, and what is kept is bounded: 256 connections, of each 6
// slots, 64 RPCs and 32 findings. Further connections count in the figures of all.
package watch
