package track_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A recorder is a Sink that writes down what it is told. Whatever the frames, it
// holds the tracker to its promises: a connection is opened before anything
// else of it and closed at the end, and no event is impossible in itself.
type recorder struct {
	t          testing.TB
	conns      []*flow.Conn
	sends      []send
	points     []flow.Point    // of the Sends
	deliveries []flow.Delivery // of the Sends, by the number of the Send, when the connection ends
	writes     []write
	reads      []read
	data       []data
	verdicts   []flow.Verdict // of each frame
	opened     map[*flow.Conn]bool
	closed     map[*flow.Conn]bool
	frames     map[flow.Ref][]byte // the capture, if places are to be checked
	named      int                 // RDMA Writes and Reads that a header in one place names
	parted     int                 // those whose header lies in several places
}

type send struct {
	conn       int
	from       flow.End
	bytes      string
	length     int
	whole      bool
	missing    string
	frames     []int64
	invalidate uint32
	hasInv     bool
}

type write struct {
	conn   int
	from   flow.End
	handle uint32
	offset uint64
	length int
	bytes  string
	frame  int64 // the first
	frames []int64
	start  bool
}

type read struct {
	conn   int
	from   flow.End
	handle uint32
	offset uint64
	length uint32
	frame  int64
}

type data struct {
	read   read
	at     uint64
	length int
	bytes  string
	whole  bool // the read, with these
	frame  int64
	frames []int64
}

// numbers are the numbers of frames.
func numbers(refs []flow.Ref) (list []int64) {
	for _, r := range refs {
		list = append(list, r.Number)
	}
	return list
}

func newRecorder(t testing.TB) *recorder {
	return &recorder{t: t, opened: make(map[*flow.Conn]bool), closed: make(map[*flow.Conn]bool)}
}

func (d *recorder) Opened(c *flow.Conn) {
	if d.opened[c] {
		d.t.Errorf("connection %d is opened twice", c.ID)
	}
	d.opened[c] = true
	d.conns = append(d.conns, c)
}

func (d *recorder) alive(c *flow.Conn, what string) {
	if !d.opened[c] || d.closed[c] {
		d.t.Errorf("connection %d: %s before it is opened or after it is closed", c.ID, what)
	}
}

func (d *recorder) Send(c *flow.Conn, m *flow.Send) {
	d.alive(c, "a Send")
	switch {
	case m.Whole && (m.Length != len(m.Bytes) || m.Missing != ""):
		d.t.Errorf("a whole Send of %d bytes has %d, missing %q", m.Length, len(m.Bytes), m.Missing)
	case !m.Whole && m.Missing == "":
		d.t.Error("an incomplete Send without a reason")
	case len(m.Bytes) > m.Length || len(m.Frames) == 0 || m.From > 1:
		d.t.Errorf("an impossible Send: %d of %d bytes, frames %v", len(m.Bytes), m.Length, m.Frames)
	}
	d.lies(m)
	switch p := m.Point; {
	case !p.Numbered || p.From != m.From:
		d.t.Errorf("a Send of end %d is %+v", m.From, p)
	case c.IWARP() && p.First != p.Last:
		d.t.Errorf("a Send with the MSNs %d and %d", p.First, p.Last)
	case !c.IWARP() && len(m.Frames) < track.MaxPieces && int(rocev2.PSNDiff(p.Last, p.First)) != len(m.Frames)-1:
		d.t.Errorf("a Send of %d frames has the PSNs %d to %d", len(m.Frames), p.First, p.Last)
	}
	d.points = append(d.points, m.Point)
	s := send{conn: c.ID, from: m.From, bytes: string(m.Bytes), length: m.Length, whole: m.Whole, missing: m.Missing,
		invalidate: m.Invalidate, hasInv: m.HasInvalidate, frames: numbers(m.Frames)}
	d.sends = append(d.sends, s)
}

func (d *recorder) Write(c *flow.Conn, w *flow.Write) {
	d.alive(c, "a Write")
	if len(w.Bytes) > w.Length || w.From > 1 {
		d.t.Errorf("an impossible Write: %d bytes of %d", len(w.Bytes), w.Length)
	}
	d.names(c, w.Place, w.Handle, w.Offset, 2, c.IWARP() || w.Start)
	if c.IWARP() && w.Announced != 0 || !c.IWARP() && uint32(w.Length) > w.Announced {
		d.t.Errorf("a Write of %d bytes announces %d", w.Length, w.Announced)
	}
	d.writes = append(d.writes, write{c.ID, w.From, w.Handle, w.Offset, w.Length, string(w.Bytes), w.Frames[0].Number, numbers(w.Frames), w.Start})
}

func (d *recorder) Read(c *flow.Conn, r *flow.Read) {
	d.alive(c, "a Read")
	d.names(c, r.Place, r.Handle, r.Offset, 0, true)
	r.User = d
	d.reads = append(d.reads, readOf(c, r))
}

func readOf(c *flow.Conn, r *flow.Read) read {
	return read{c.ID, r.From, r.Handle, r.Offset, r.Length, r.Ref.Number}
}

func (d *recorder) ReadData(c *flow.Conn, r *flow.Read, x *flow.ReadData) {
	d.alive(c, "data of a Read")
	if r.User != any(d) {
		d.t.Error("a Read has lost what its Sink keeps of it")
	}
	if x.At+uint64(x.Length) > uint64(r.Length) || len(x.Bytes) > x.Length {
		d.t.Errorf("%d bytes (%d captured) at %d of a Read of %d", x.Length, len(x.Bytes), x.At, r.Length)
	}
	d.data = append(d.data, data{readOf(c, r), x.At, x.Length, string(x.Bytes), r.Whole(), x.Frames[0].Number, numbers(x.Frames)})
}

func (d *recorder) FrameDone(c *flow.Conn) { d.alive(c, "Settled") }

func (d *recorder) Closed(c *flow.Conn) {
	d.deliveries = append(d.deliveries, make([]flow.Delivery, len(d.sends)-len(d.deliveries))...)
	for i := range d.sends {
		if d.sends[i].conn == c.ID {
			d.deliveries[i] = c.Delivery(d.points[i])
		}
	}
	d.alive(c, "Closed")
	d.closed[c] = true
}

// A driver decodes frames and feeds them to a tracker.
type driver struct {
	tracker *follower
	frame   flow.Frame
	number  int64
	file    int
}

// frame takes a captured frame of which length bytes were on the wire.
func (d *driver) take(content []byte, length int, time int64) flow.Verdict {
	f := d.captured(content, length, time)
	f.Decode(link.Options{})
	if !f.HasIB() && f.Link.Transport != link.TCP {
		return flow.Verdict{}
	}
	return d.tracker.Frame(f)
}

// captured is the next frame, its headers not taken apart.
func (d *driver) captured(content []byte, length int, time int64) *flow.Frame {
	d.number++
	f := &d.frame
	f.Frame = capture.Frame{File: int32(d.file), Number: d.number, Time: time, Link: link.TypeEthernet, Data: content, Length: int32(length)}
	return f
}

// unchecked is the next frame, whose ICRC nobody looked at.
func (d *driver) unchecked(content []byte, time int64) *flow.Frame {
	f := d.captured(content, len(content), time)
	f.Link.Decode(link.TypeEthernet, content, len(content), link.Options{})
	f.IB.Decode(content[f.Link.Start():f.Link.End()], f.Link.End()-f.Link.Start())
	return f
}

// tell runs a capture through a tracker that can peek at calls and replies.
func record(t testing.TB, frames build.Frames) *recorder {
	t.Helper()
	return recordWith(t, track.Options{Peek: peek}, frames)
}

// recordWith runs a capture through a tracker with these options.
func recordWith(t testing.TB, opts track.Options, frames build.Frames) *recorder {
	t.Helper()
	d := newRecorder(t)
	r := driver{tracker: follow(d, opts)}
	for _, f := range frames {
		// The bytes are a reader's: gone with the next frame.
		content := slices.Clone(f.Data)
		d.captured(flow.Ref{Number: r.number + 1}, content)
		d.verdicts = append(d.verdicts, r.take(content, f.Length, f.Time.UnixNano()))
		clear(content)
	}
	r.tracker.Flush()
	for _, c := range d.conns {
		if !d.closed[c] {
			t.Errorf("connection %d is never closed", c.ID)
		}
	}
	return d
}

// only is the one connection of a recorder.
func (d *recorder) only() *flow.Conn {
	d.t.Helper()
	if len(d.conns) != 1 {
		d.t.Fatalf("%d connections, want 1", len(d.conns))
	}
	return d.conns[0]
}

// notes are the notes of the frames that are not in order, by their index.
func (d *recorder) notes() string {
	var list []string
	for i, v := range d.verdicts {
		if v.Note != flow.InOrder {
			list = append(list, fmt.Sprintf("%d %s", i, noteNames[v.Note]))
		}
	}
	return strings.Join(list, ", ")
}

var noteNames = map[flow.Note]string{flow.Gap: "gap", flow.Retransmission: "again", flow.LostOnWire: "lost", flow.Duplicate: "twice",
	flow.Reordered: "reordered", flow.Stale: "stale", flow.Corrupt: "corrupt"}

// A message of these conversations is a letter, C for a call and R for a reply, and
// the bytes that name its exchange; whatever follows is its text.
func peek(content []byte) (id uint32, call, ok bool) {
	if len(content) < 5 || content[0] != 'C' && content[0] != 'R' {
		return 0, false, false
	}
	return uint32(content[1])<<24 | uint32(content[2])<<16 | uint32(content[3])<<8 | uint32(content[4]), content[0] == 'C', true
}

func call(id uint32) []byte  { return envelope('C', id) }
func reply(id uint32) []byte { return envelope('R', id) }

func envelope(letter byte, id uint32) []byte {
	return append([]byte{letter, byte(id >> 24), byte(id >> 16), byte(id >> 8), byte(id)}, "the text"...)
}

// memory are n bytes of what lies at an address after a handle, the same
// whoever asks: every byte says where it belongs.
func memory(handle uint32, va uint64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		x := (va + uint64(i)) * 0x9e3779b97f4a7c15
		b[i] = byte(x>>56) ^ byte(handle)
	}
	return b
}

// placedRight holds every byte that was moved against the memory.
func (d *recorder) placedRight() {
	d.t.Helper()
	for _, w := range d.writes {
		if w.bytes != string(memory(w.handle, w.offset, len(w.bytes))) {
			d.t.Errorf("frame %d: the Write of %d bytes to 0x%x has others'", w.frame, w.length, w.offset)
		}
	}
	for _, x := range d.data {
		if x.bytes != string(memory(x.read.handle, x.read.offset+x.at, len(x.bytes))) {
			d.t.Errorf("frame %d: data at %d of the Read of frame %d are others'", x.frame, x.at, x.read.frame)
		}
	}
}

// texts are the whole Sends of one end.
func (d *recorder) texts(from flow.End) (list []string) {
	for _, s := range d.sends {
		if s.from == from && s.whole {
			list = append(list, s.bytes)
		}
	}
	return list
}
