// Package live captures frames from network interfaces of Linux, as from a
// mirrored port of a switch.
//
//	card ──> kernel ──> filter ──> ring of blocks ──> Frame ──> capture.Source
//	                    (BPF)      (mapped memory)
//
// A packet socket (packet(7)) puts frames into a ring that kernel and process
// share, TPACKET_V3: whole blocks of frames change hands, and a frame's Data lie
// in the ring, so nothing is copied. There is one ring for an interface, and no
// fan-out: that would spread the two directions of a connection over several
// rings, and lose the order between them.
//
// A block belongs to the kernel until it is full, or until a little after its
// first frame (blockLag); then to the process, which gives it back when its frames are not
// no longer needed: see capture.Keeper. The kernel fills the blocks in turn. While
// the next one is not back, it drops frames and counts them:
//
//	block 1   block 2   block 3              block 4
//	[frames]  [frames]  [frames]  (dropped)  [frames]
//	                                         └─ LOSING: some were dropped before
//
// What was dropped is counted (Drops), and the first frame after it says so
// (capture.Frame.Dropped).
package live
