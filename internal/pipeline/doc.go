// Package pipeline runs captures through a dissector into what shows them: it opens the captures,
// merges them by time, follows them to their end or an interruption, and says what was wrong with
// them. It has no flags, and writes to nobody but a Renderer.
package pipeline
