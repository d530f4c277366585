// Package extract copies some frames of captures into one pcapng file, with all that the captures
// say of them: times in the units of their interfaces, lengths on the wire, options, comments.
//
//	captures ──> capture.Merge ──> frames by time ──in a Set?──> one section, pcapng
//	   └───────────── interfaces, options, exact times ────────────^
//
// The section is little-endian. Options of blocks in the other byte order are turned, those that
// are not known left out. Blocks that are neither interfaces nor packets are not copied.
package extract
