// Package annotate copies a capture file and adds comments to it: to its frames,
// and to the file as a whole. What it writes is pcapng, since pcap has no field for
// comments; Wireshark shows them beside the packets.
//
//	                 ┌─> capture.File ──where each frame is──┐
//	capture file ────┤                                       v
//	                 └─> bytes, block by block ──────────> copy ──> pcapng
//	                                                         ^
//	                     comments by frame number ───────────┘
//
// The file is read twice at the same time. Package capture says which record is
// which frame, so that frame numbers mean the same here as everywhere else; the
// bytes are copied from beside it. Nothing is kept but the comments.
//
// # pcapng
//
// Blocks are copied as they are, whatever their type. What changes:
//
//   - a section header no longer states a section length (-1), and the first one
//     has the comment on the file;
//   - a frame with a comment has a longer block, with the comment after the
//     options that were there;
//   - a Packet Block with a comment becomes the Enhanced Packet Block that says the
//     same, if there is one. A Simple Packet Block has neither options nor a time,
//     so it stays as it is, without the comment.
//
// # pcap
//
// The file becomes one section with one interface, in the file's own byte order:
//
//	section header     comment on the file
//	interface          link type, snap length, if_tsresol 6 or 9 as the magic says
//	enhanced packet    time, lengths, bytes, comments; for each record
//
// What has no place there is left out: the length of a frame check sequence in the
// file header (readers of pcapng disagree about the unit of if_fcslen), and the
// interface, protocol and packet type of Kuznetzov's record headers.
package annotate
