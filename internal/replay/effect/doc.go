// Package effect judges what a captured message may do to the server that it is sent to, so
// that a replay sends nothing that changes files unless that is requested. Every way to replay
// asks here.
//
// A message does no harm only if all of it is understood: a server may decode what this
// package cannot, and differently. So whatever is malformed, cut short, followed by more bytes,
// or of a program, procedure or operation that is not known, counts as a change.
package effect
