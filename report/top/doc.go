// Package top is the full-screen view of rdmacap live --top, and the line per second that stands
// for it where there is no terminal. What it shows is kept by package watch.
//
//	keys, size ──┐
//	             ├─> Model.Update ──> Model ──> Model.View ──> terminal
//	Snapshot ────┘     (pure)                    (pure)
//
// A Model is a value: Update makes another one of it, View a text of as many lines as the
// terminal has. A Screen runs one on a terminal.
package top
