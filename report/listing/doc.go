// Package listing says what is listed: of which level (frames, messages, RPCs), in how
// much detail, and which of it a filter lets through. Rows and records ask it alike.
package listing
