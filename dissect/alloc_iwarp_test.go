package dissect_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// TestSegmentAllocatesNothing is TestFrameAllocatesNothing over iWARP, with the
// retransmissions and the FPDUs of several segments that the capture has.
func TestSegmentAllocatesNothing(t *testing.T) {
	e := busiestStream(t, "siw-basic")
	if e.tally.disorder == 0 {
		t.Error("the capture has no retransmission")
	}
	allocatesNothing(t, e.before, e.frames, e.advance, e.tally)
}

// endlessStream is the traffic of one iWARP connection between its setup and
// its end, so that it can be sent again.
type endlessStream struct {
	before, frames frames
	tally          tally // of frames, once
	parts          []segment
	span           [2]uint32    // bytes of the stream that each end sends
	messages       [2][4]uint32 // and messages by queue
	msns           []*msn
}

// segment is where the stream's bytes are in a frame.
type segment struct {
	index   int // of the frame in the capture
	from    flow.End
	tcp     int    // offset of TCP's header in the frame
	payload int    // and of what it carries
	bytes   []byte // what it carries
	seq     uint32
}

// msn is the MSN of an FPDU. An FPDU that was retransmitted is in several frames,
// and one of several segments may have the field in two of them.
type msn struct {
	from   flow.End
	queue  uint32
	at     uint64 // offset of the field in the stream after the setup
	value  uint32
	copies [][4]*byte
}

func busiestStream(t *testing.T, name string) *endlessStream {
	t.Helper()
	list := load(t, name)
	seen := &streams{of: make(map[int]*stream)}
	d := dissect.New(seen, dissect.Options{Units: true})
	for i := range list {
		seen.index = i
		d.Frame(&list[i])
	}
	most := new(stream)
	for _, c := range seen.of {
		if len(c.parts) > len(most.parts) {
			most = c
		}
	}
	if most.tally.rpcs == 0 {
		t.Fatalf("%s has no connection with RPCs", name)
	}
	e := &endlessStream{before: list[:most.parts[0].index], tally: most.tally, parts: most.parts, messages: most.messages, msns: most.msns}
	for i := range e.parts {
		p := &e.parts[i]
		e.frames = append(e.frames, list[p.index])
		e.span[p.from] = max(e.span[p.from], p.seq+uint32(len(p.bytes))-most.first[p.from])
		for _, m := range e.msns {
			if m.from == p.from {
				m.find(p, most.first[p.from])
			}
		}
	}
	for _, m := range e.msns {
		for _, c := range m.copies {
			if c[0] == nil || c[1] == nil || c[2] == nil || c[3] == nil {
				t.Fatal("a copy of an MSN has a part only")
			}
		}
	}
	return e
}

// find notes the bytes of the field that lie in a segment.
func (m *msn) find(p *segment, first uint32) {
	for i := range 4 {
		at := int(int32(first + uint32(m.at) + uint32(i) - p.seq))
		if at < 0 || at >= len(p.bytes) {
			continue
		}
		if n := len(m.copies); i == 0 || n == 0 || m.copies[n-1][i] != nil {
			m.copies = append(m.copies, [4]*byte{})
		}
		m.copies[len(m.copies)-1][i] = &p.bytes[at]
	}
}

// advance gives each frame the sequence numbers and MSNs that it has when the
// traffic is sent once more.
func (e *endlessStream) advance() {
	for i := range e.parts {
		p := &e.parts[i]
		for field, n := range map[int]uint32{4: e.span[p.from], 8: e.span[p.from.Peer()]} { // Seq, Ack
			word := e.frames[i].Data[p.tcp+field:]
			binary.BigEndian.PutUint32(word, binary.BigEndian.Uint32(word)+n)
		}
	}
	for _, m := range e.msns {
		m.value += e.messages[m.from][m.queue]
		for _, c := range m.copies {
			for i, size := range c {
				*size = byte(m.value >> (24 - 8*i))
			}
		}
	}
}

// streams is a Sink that notes which bytes of which frames are whose.
type streams struct {
	counting
	index int
	of    map[int]*stream // by connection
}

type stream struct {
	tally
	starts   int // MPA frames seen
	ended    bool
	parts    []segment
	first    [2]uint32 // sequence number of the first FPDU of each end
	messages [2][4]uint32
	msns     []*msn
}

func (s *streams) RPC(x *dissect.RPC) { s.of[x.Connection.ID].RPC(x) }

func (s *streams) Frame(v *dissect.FrameView) {
	if !v.IWARP() {
		return
	}
	c := s.of[v.Connection.ID]
	if c == nil { // frames of the setup come before the connection is announced
		c = new(stream)
		s.of[v.Connection.ID] = c
	}
	from, tcp := v.Verdict.From, &v.Link.TCP
	whole := c.starts == 2
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if u.IsStart {
			c.starts++
			c.first[from] = tcp.Seq + uint32(v.Link.End()-v.Link.TCPData())
			continue
		}
		const mpaAndDDP = 2 + 10 // bytes before the MSN
		if p := &u.PDU; !p.Tagged {
			c.msns = append(c.msns, &msn{from: from, queue: p.QN, at: u.FPDU.At + mpaAndDDP, value: p.MSN})
			if p.Last {
				c.messages[from][p.QN]++
			}
		}
	}
	c.ended = c.ended || tcp.Flags.Has(link.FIN)
	if !whole || c.ended {
		return
	}
	c.tally.Frame(v)
	c.parts = append(c.parts, segment{s.index, from, v.Link.Start(), v.Link.TCPData(), v.Frame.Data[v.Link.TCPData():v.Link.End()], tcp.Seq})
}
