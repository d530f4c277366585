package track_test

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A conversation is one over iWARP, and the events expected of it.
type conversation struct {
	*build.IWARP
	sends  [2][]send // by sender
	writes map[uint32]moved
	reads  []read
	data   map[uint32]moved
}

// moved is what is moved after one handle: bytes, and the frames they come with.
type moved struct {
	from   flow.End
	n      int
	frames []int64
}

// during are the numbers of the frames of a span.
func during(s build.Span) (list []int64) {
	for i := s.First; i < s.End; i++ {
		list = append(list, int64(i)+1)
	}
	return list
}

func (s *conversation) say(d build.Direction, text []byte) {
	s.sent(d, text, s.Send(d, text), 0)
}

// sent notes a Send; one that invalidates names an STag that is not 0.
func (s *conversation) sent(d build.Direction, text []byte, span build.Span, stag uint32) {
	s.sends[d] = append(s.sends[d], send{from: flow.End(d), bytes: string(text), length: len(text), whole: true,
		frames: during(span), invalidate: stag, hasInv: stag != 0})
}

func (s *conversation) write(d build.Direction, handle uint32, to uint64, n int) {
	span := s.Write(d, handle, to, memory(handle, to, n))
	s.writes[handle] = moved{flow.End(d), n, during(span)}
}

func (s *conversation) request(d build.Direction, handle uint32, at uint64, n int) build.RDMARead {
	r := s.ReadRequest(d, handle, at, n)
	s.reads = append(s.reads, read{from: flow.End(d), handle: handle, offset: at, length: uint32(n), frame: int64(r.End)})
	return r
}

func (s *conversation) respond(r build.RDMARead) {
	s.Flush(r.Dir) // it has arrived before there is a response
	span := s.ReadResponse(r, memory(r.SourceSTag, r.SourceTO, int(r.Size)))
	s.data[r.SourceSTag] = moved{flow.End(r.Dir), int(r.Size), during(span)}
}

// newConversation tells everything that two hosts can say to each other. With between,
// it is called now and then, to change how bytes go into segments.
func newConversation(setup build.IWARPSetup, between func(*build.IWARP)) *conversation {
	s := &conversation{IWARP: build.NewIWARP(setup), writes: make(map[uint32]moved), data: make(map[uint32]moved)}
	s.Connect()
	if between == nil {
		between = func(*build.IWARP) {}
	}
	s.say(build.ToServer, call(1))
	s.Ack(build.ToClient)
	s.say(build.ToClient, nil) // no RTR: that is the client's to send
	s.say(build.ToServer, nil) // nor is this, unless it is its first
	between(s.IWARP)
	s.say(build.ToClient, memory(1, 0, 5001))
	s.Ack(build.ToServer)
	s.sent(build.ToServer, memory(2, 0, 1), s.SendSE(build.ToServer, memory(2, 0, 1)), 0)
	s.sent(build.ToClient, memory(3, 0, 2502), s.SendInvalidate(build.ToClient, 0xc82, memory(3, 0, 2502)), 0xc82)
	s.sent(build.ToServer, memory(4, 0, 3003), s.SendSEInvalidate(build.ToServer, 0xc83, memory(4, 0, 3003)), 0xc83)
	between(s.IWARP)
	s.write(build.ToClient, 0x10, 0x1000, 3000)
	s.say(build.ToClient, reply(1))
	s.write(build.ToServer, 0x11, 1<<40, 5)
	between(s.IWARP)
	s.respond(s.request(build.ToClient, 0x20, 0x2000, 4500))
	a, b := s.request(build.ToServer, 0x21, 1<<33, 1), s.request(build.ToServer, 0x22, 7, 2000)
	s.Ack(build.ToClient)
	s.Immediate(build.ToServer, 0x1122334455667788)
	s.say(build.ToServer, call(2))
	between(s.IWARP)
	s.respond(a)
	s.respond(b)
	s.AtomicRequest(build.ToServer, build.AtomicRequest{Identifier: 5, STag: 0x30})
	s.AtomicResponse(build.ToClient, 5, 9)
	s.respond(s.request(build.ToServer, 0x23, 100, 10))
	between(s.IWARP)
	s.say(build.ToClient, reply(2))
	s.Ack(build.ToServer)
	// A callback: the server calls.
	s.say(build.ToClient, call(3))
	s.say(build.ToServer, reply(3))
	s.Flush(build.ToServer)
	s.Flush(build.ToClient)
	return s
}

// check holds what was told against the conversation. Where cuts moved the bytes into
// other frames than the builder's spans say, frames are not compared.
func (s *conversation) check(d *recorder, frames bool) {
	t := d.t
	t.Helper()
	d.placedRight()
	var sends [2][]send
	for _, m := range d.sends {
		m.conn = 0
		if !frames {
			m.frames = nil
		}
		sends[m.from] = append(sends[m.from], m)
	}
	for from, want := range s.sends {
		if len(sends[from]) != len(want) {
			t.Errorf("end %d: %d Sends, want %d", from, len(sends[from]), len(want))
			continue
		}
		for i, got := range sends[from] {
			w := want[i]
			if got.bytes != w.bytes || got.length != w.length || got.whole != w.whole || got.invalidate != w.invalidate || got.hasInv != w.hasInv {
				t.Errorf("end %d, Send %d: %d bytes (%s), invalidates 0x%x (%v); want %d bytes, 0x%x (%v)",
					from, i, got.length, got.missing, got.invalidate, got.hasInv, w.length, w.invalidate, w.hasInv)
			}
			if frames && !slices.Equal(got.frames, w.frames) {
				t.Errorf("end %d, Send %d: frames %v, want %v", from, i, got.frames, w.frames)
			}
		}
	}
	writes, data := make(map[uint32]moved), make(map[uint32]moved)
	add := func(m map[uint32]moved, from flow.End, handle uint32, content string, length int, frames []int64) {
		if length != len(content) {
			t.Errorf("handle 0x%x: %d bytes, of which %d are there", handle, length, len(content))
		}
		x := m[handle]
		m[handle] = moved{from, x.n + length, append(x.frames, frames...)}
	}
	for _, w := range d.writes {
		if w.handle != 1 || w.length != 0 { // not the RTR
			add(writes, w.from, w.handle, w.bytes, w.length, w.frames)
		}
	}
	var reads []read
	for _, r := range d.reads {
		if r.handle == 1 && r.length == 0 {
			continue
		}
		r.conn = 0
		reads = append(reads, r)
	}
	complete := 0
	for _, x := range d.data {
		if x.read.handle == 1 && x.length == 0 {
			continue
		}
		add(data, x.read.from, x.read.handle, x.bytes, x.length, x.frames)
		if x.whole {
			complete++
		}
	}
	if complete != len(s.reads) {
		t.Errorf("%d Reads are whole, want %d", complete, len(s.reads))
	}
	for i := range s.reads {
		if !frames {
			s.reads[i].frame = 0
		}
	}
	for i := range reads {
		if !frames {
			reads[i].frame = 0
		}
	}
	// Two requests may cross each other.
	byEnd := func(a, b read) int { return int(a.from) - int(b.from) }
	slices.SortStableFunc(reads, byEnd)
	slices.SortStableFunc(s.reads, byEnd)
	if !slices.Equal(reads, s.reads) {
		t.Errorf("Reads %v\nwant %v", reads, s.reads)
	}
	for name, both := range map[string][2]map[uint32]moved{"Write": {writes, s.writes}, "Read": {data, s.data}} {
		for handle, want := range both[1] {
			got := both[0][handle]
			if got.from != want.from || got.n != want.n {
				t.Errorf("%s of handle 0x%x: end %d, %d bytes; want end %d, %d", name, handle, got.from, got.n, want.from, want.n)
			}
			if got.frames = slices.Compact(got.frames); frames && !slices.Equal(got.frames, want.frames) {
				t.Errorf("%s of handle 0x%x: frames %v, want %v", name, handle, got.frames, want.frames)
			}
		}
		if len(both[0]) != len(both[1]) {
			t.Errorf("%d handles with %ss, want %d", len(both[0]), name, len(both[1]))
		}
	}
}
