// Package track follows every connection of a capture, whatever carries it: its
// Tracker hands packets of queue pairs to qp and TCP segments to tcp, which tell one
// flow.Sink what they find.
package track
