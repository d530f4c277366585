// Package story reports what became of one RPC, or of one connection, frame by frame. The captures
// are read twice: once to find what the story is about, and once for its frames.
//
//	Target ──> Finder (RPCs, findings) ──> Plot ──> Frames (rows) ──> Plot.Decoded
package story
