// Package stream puts one direction of a TCP connection in order (RFC 9293
// section 3.4), as far as a capture has it.
//
//	                Next                   Acked
//	                 v                       v
//	... handed on ...|     hole      | waits |  hole  | waits |
//
// What comes in order is handed on at once and never copied. What comes early
// waits, copied, until the bytes before it have come or the caller gives them
// up with Skip. Each byte is handed on once: of several copies the one that was
// captured first counts, and a copy that the snap length cut off counts only
// where no other waits.
//
// The capture decides what is there, not the receiver: a hole that the peer
// acknowledged (Proven) is missing only from the capture. The sender has no
// reason to send it again, unless that acknowledgement was lost.
//
// Sequence numbers are 32 bits wide and wrap. A Stream counts in 64 bits, and
// takes a number as the nearest to the next byte that it awaits.
package stream
