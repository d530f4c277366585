package live

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
)

// Where in a block's descriptor (struct tpacket_block_desc) its fields stand.
const (
	blockStatus = 8
	blockFrames = 12
	blockFirst  = 16
)

// Where in a frame's descriptor (struct tpacket3_hdr) its fields stand.
const (
	frameNext    = 0
	frameSeconds = 4
	frameNanos   = 8
	frameCut     = 12 // bytes that were captured
	frameLength  = 16
	frameStatus  = 20
	frameMAC     = 24 // where the bytes begin
	frameTCI     = 32
	frameTPID    = 36
)

// A ring is what is captured on one interface.
type ring struct {
	name   string
	index  int // the kernel's, of the interface
	rank   int // the interface's place on the command line
	fd     int
	mem    []byte
	blocks uint64

	taken    uint64   // blocks that were taken
	returned uint64   // blocks that were given back, of those
	spent    []uint64 // by block: Source.turns when its last frame was given
	at       int      // in mem: the next frame of the block that was taken last
	left     int      // frames of that block that were not given
	dropped  bool     // frames were dropped before the next one

	frames int64 // given so far
	// suspect are blocks before which frames were dropped, perhaps.
	suspect      struct{ from, to uint64 }
	reportedDrop uint64 // of behindDrop: one more than the block it received last
	// passed is a time in nanoseconds since 1970: all frames up to it were given.
	passed   int64
	clock    hardwareClock
	hardware bool // the card stamps frames
	marked   *capture.Extra
	// gone is why no frames come any more.
	gone error
	down bool
	// lost is what the interface had dropped when it was asked last, and counted what
	// was dropped since the begin, for any goroutine.
	lost    uint64
	counted struct{ kernel, ring atomic.Int64 }
}

// openRing makes the socket and its ring, which takes frames from now on.
func openRing(name string, index int, o *Options) (*ring, error) {
	// Without a protocol no frame comes before all is set.
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, socketError(name, err)
	}
	r := &ring{name: name, index: index, fd: fd, marked: &capture.Extra{Dropped: true}}
	if err := r.set(o); err != nil {
		r.close()
		return nil, fmt.Errorf("%s: cannot be captured: %w", name, err)
	}
	return r, nil
}

// set sets the socket up.
func (r *ring) set(o *Options) error {
	size := o.Buffer
	if size == 0 {
		size = DefaultBuffer
	}
	r.blocks = uint64(max(2, size/blockSize))
	r.spent = make([]uint64, r.blocks)
	const level = unix.SOL_PACKET
	if err := unix.SetsockoptInt(r.fd, level, unix.PACKET_VERSION, unix.TPACKET_V3); err != nil {
		return fmt.Errorf("this kernel has no TPACKET_V3: %w", err)
	}
	// Room before each frame, to put a VLAN tag back.
	if err := unix.SetsockoptInt(r.fd, level, unix.PACKET_RESERVE, tagSize); err != nil {
		return fmt.Errorf("PACKET_RESERVE: %w", err)
	}
	if o.Hardware {
		// Where a frame has no such time, the kernel gives its own.
		err := unix.SetsockoptInt(r.fd, level, unix.PACKET_TIMESTAMP, unix.SOF_TIMESTAMPING_RAW_HARDWARE)
		r.hardware = err == nil
	}
	req := unix.TpacketReq3{
		Block_size: blockSize, Block_nr: uint32(r.blocks),
		Frame_size: blockSize, Frame_nr: uint32(r.blocks), // of no meaning in this version, but checked
		Retire_blk_tov: uint32(blockTimeout.Milliseconds()),
	}
	if err := unix.SetsockoptTpacketReq3(r.fd, level, unix.PACKET_RX_RING, &req); err != nil {
		return fmt.Errorf("a ring of %d MiB: %w", r.blocks*blockSize>>20, err)
	}
	if err := r.attach(o.Filter); err != nil {
		return err
	}
	var err error
	if r.mem, err = unix.Mmap(r.fd, 0, int(r.blocks)*blockSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return fmt.Errorf("mapping the ring: %w", err)
	}
	member := unix.PacketMreq{Ifindex: int32(r.index), Type: unix.PACKET_MR_PROMISC}
	if err := unix.SetsockoptPacketMreq(r.fd, level, unix.PACKET_ADD_MEMBERSHIP, &member); err != nil {
		return fmt.Errorf("promiscuous mode: %w", err)
	}
	const all = unix.ETH_P_ALL>>8 | unix.ETH_P_ALL&0xff<<8 // in network byte order
	if err := unix.Bind(r.fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: r.index}); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	return nil
}

// attach gives the socket its filter.
func (r *ring) attach(f Filter) error {
	raw, err := f.assemble()
	if err != nil || len(raw) == 0 {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(raw)), Filter: (*unix.SockFilter)(unsafe.Pointer(&raw[0]))}
	// The two structures are those of the kernel.
	var _ [unsafe.Sizeof(unix.SockFilter{}) - unsafe.Sizeof(bpf.RawInstruction{})]struct{}
	if err := unix.SetsockoptSockFprog(r.fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &program); err != nil {
		return fmt.Errorf("the capture filter: %w", err)
	}
	return nil
}

// withoutCopies leaves out what the interface sends: of a loopback that comes back.
func (r *ring) withoutCopies() error {
	return unix.SetsockoptInt(r.fd, unix.SOL_PACKET, unix.PACKET_IGNORE_OUTGOING, 1)
}

func (r *ring) close() {
	if r.mem != nil {
		_ = unix.Munmap(r.mem) // it was mapped
	}
	unix.Close(r.fd)
}

// status is that of a block, by its count.
func (r *ring) status(block uint64) *uint32 {
	return (*uint32)(unsafe.Pointer(&r.mem[int(block%r.blocks)*blockSize+blockStatus]))
}

// ours reports whether a block that was not taken is the process's.
func (r *ring) ours(block uint64) bool {
	return atomic.LoadUint32(r.status(block))&unix.TP_STATUS_USER != 0
}

// open takes the next block, and reports whether there was one. The one before has no
// more frames. now is the time.
func (r *ring) open(now int64) bool {
	for r.taken-r.returned < r.blocks && r.ours(r.taken) {
		losing := atomic.LoadUint32(r.status(r.taken))&unix.TP_STATUS_LOSING != 0
		if losing {
			r.count()
		}
		if losing || r.suspect.from <= r.taken && r.taken < r.suspect.to {
			r.dropped = true
		}
		start := int(r.taken%r.blocks) * blockSize
		r.taken++
		r.left = int(u32(r.mem, start+blockFrames))
		r.at = start + int(u32(r.mem, start+blockFirst))
		if r.left > 0 {
			return true
		}
		r.spend(0)
	}
	r.passed = max(r.passed, now-int64(blockLag))
	return false
}

// behindDrop reports, once, whether all frames are given that came before those which the
// kernel dropped, and no other came so far.
func (r *ring) behindDrop() bool {
	if r.left > 0 || r.taken < r.suspect.from || r.taken >= r.suspect.to || r.reportedDrop > r.taken {
		return false
	}
	r.reportedDrop = r.taken + 1
	return true
}

// spend notes that the last frame of the block was given.
func (r *ring) spend(turn uint64) { r.spent[(r.taken-1)%r.blocks] = turn }

// release gives the blocks back whose frames were given before a turn.
func (r *ring) release(turn uint64) {
	for r.returned < r.taken && !(r.left > 0 && r.returned == r.taken-1) && r.spent[r.returned%r.blocks] < turn {
		atomic.StoreUint32(r.status(r.returned), unix.TP_STATUS_KERNEL)
		r.returned++
	}
}

// kept reports whether the block that the kernel filled last is not back with it.
func (r *ring) kept() bool { return r.returned < r.taken }

// count adds what the kernel dropped since it was called last, and notes before which
// blocks that may have been. A block that the kernel is done with says itself whether
// anything was dropped before it since the count was read, but reading it makes those
// forget it that it is not done with.
func (r *ring) count() {
	from := r.unfinished()
	stats, err := unix.GetsockoptTpacketStatsV3(r.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err != nil || stats.Drops == 0 {
		return
	}
	r.counted.ring.Add(int64(stats.Drops))
	r.suspects(from)
}

// suspects notes that frames may be missing before blocks, from a count up to the one
// that the kernel fills now.
func (r *ring) suspects(from uint64) {
	if r.suspect.to <= r.taken {
		r.suspect.from = from
	}
	r.suspect.from = min(r.suspect.from, from)
	r.suspect.to = r.unfinished() + 1
}

// unfinished is the first block that the kernel is not done with.
func (r *ring) unfinished() uint64 {
	block := r.taken
	for block-r.returned < r.blocks && r.ours(block) {
		block++
	}
	return block
}

// time is that of the next frame.
func (r *ring) time() int64 {
	t := int64(u32(r.mem, r.at+frameSeconds))*1e9 + int64(u32(r.mem, r.at+frameNanos))
	if r.hardware && u32(r.mem, r.at+frameStatus)&unix.TP_STATUS_TS_RAW_HARDWARE != 0 {
		return r.clock.wall(t)
	}
	return t
}

// next fills f with the next frame, of which there is one.
func (r *ring) next(f *capture.Frame) {
	at := r.at
	start := at + int(binary.NativeEndian.Uint16(r.mem[at+frameMAC:]))
	end := start + int(u32(r.mem, at+frameCut))
	length := u32(r.mem, at+frameLength)
	if status := u32(r.mem, at+frameStatus); status&unix.TP_STATUS_VLAN_VALID != 0 && end-start >= addressSize {
		tpid := uint16(unix.ETH_P_8021Q)
		if status&unix.TP_STATUS_VLAN_TPID_VALID != 0 {
			tpid = binary.NativeEndian.Uint16(r.mem[at+frameTPID:])
		}
		start -= tagSize
		length += tagSize
		copy(r.mem[start:], r.mem[start+tagSize:start+tagSize+addressSize])
		tag := r.mem[start+addressSize:]
		binary.BigEndian.PutUint16(tag, tpid)
		binary.BigEndian.PutUint16(tag[2:], uint16(u32(r.mem, at+frameTCI)))
	}
	r.frames++
	*f = capture.Frame{
		Data: r.mem[start:end:end], Time: r.time(), Number: r.frames, Length: int32(length),
		File: int32(r.rank), Link: link.TypeEthernet,
	}
	if r.dropped {
		f.Extra, r.dropped = r.marked, false
	}
	r.at += int(u32(r.mem, at+frameNext))
	r.left--
}

// u32 is a number in the machine's byte order.
func u32(b []byte, at int) uint32 { return binary.NativeEndian.Uint32(b[at:]) }

// A hardwareClock makes the times of a card's clock, which may be set to anything, those
// of the machine: the first frame's is now, and the card says how long after that the
// others came.
type hardwareClock struct {
	offset int64
	set    bool
	now    func() time.Time
}

func (c *hardwareClock) wall(t int64) int64 {
	if !c.set {
		c.offset, c.set = c.now().UnixNano()-t, true
	}
	return t + c.offset
}
