// Package keep keeps what is captured: all of it in a ring of pcapng files, and what was
// around an occasion, such as a finding, in a file of its own.
//
//	Source ──> frame ──────────────────────────────────────────> whoever reads
//	             │ copied, as a block of pcapng
//	             v
//	           chunk ──> ring of files      rdmacap-000017-20261123T013157Z.pcapng
//	           chunk ──> window in memory ──> excerpt, on an occasion
//
// The goroutine that reads frames copies each into a chunk of blocks, and does no more:
// another one writes whole chunks, so that a slow disk does not hold up capturing. If all
// chunks are waiting to be written, frames are counted instead of being copied. The first
// frame after them says how many they were (epb_dropcount, and a comment).
//
// # The ring
//
// A file is written under a name that ends in ".part", and gets its own name when it is
// whole. So whatever happens, a file is whole or marked. Before a file is begun, as many of
// the oldest are deleted as it takes for it to have room, also those of earlier runs:
// the limits hold at any time. The directory itself is what is counted.
//
// # The window
//
// Chunks of the last seconds stay in memory, up to a number of bytes. On an
// occasion those of the seconds before go into a file, and then those that come until the
// seconds after it are over. What was dropped from memory before, an excerpt says.
package keep
