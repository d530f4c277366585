package track_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/long"
)

// silent is a Sink that keeps nothing.
type silent struct{ closed int }

func (*silent) Opened(*flow.Conn)                               {}
func (*silent) Send(*flow.Conn, *flow.Send)                     {}
func (*silent) Write(*flow.Conn, *flow.Write)                   {}
func (*silent) Read(*flow.Conn, *flow.Read)                     {}
func (*silent) ReadData(*flow.Conn, *flow.Read, *flow.ReadData) {}
func (*silent) FrameDone(*flow.Conn)                            {}
func (s *silent) Closed(*flow.Conn)                             { s.closed++ }

// within demands that the tracker keeps no more than its limits, and counts
// what it keeps as it is.
func within(t testing.TB, tracker *follower) {
	t.Helper()
	c, limits := tracker.Census(), flow.NewLimits(1)
	if c.Conns > track.MaxConns || c.Claims > limits.Claims || c.Halves > 2*track.MaxConns+limits.Pair || c.Setups > 2*track.MaxConns ||
		c.Marks > track.MaxMarks || c.Evicted > track.MaxMarks+1 || c.Waiting > limits.Pair || c.Trusted > track.MaxTrusted || c.Unpaired > c.Halves ||
		c.MostReads > track.MaxReads || c.MostHeld > track.MaxHeld+1 {
		t.Errorf("too much is kept: %+v", c)
	}
	if c.Candidates > track.MaxCandidates || c.TCP > track.MaxConns+track.MaxCandidates+track.MaxOthers || c.TCPMarks > track.MaxMarks ||
		c.MostPending > track.MaxPending || c.MostEarly > track.MaxEarly {
		t.Errorf("too much is kept: %+v", c)
	}
	// One packet, or one message, may come on top before something goes.
	if c.Queued > limits.Queued || c.Kept > limits.Kept+1<<16 || c.Assembled > limits.Assembled+2*track.MaxSend {
		t.Errorf("too many bytes are kept: %+v", c)
	}
	if c.Queued != c.QueuedFound || c.Kept != c.KeptFound || c.Assembled != c.AssembledFound {
		t.Errorf("the accounts are wrong: %+v", c)
	}
}

// A stream is one frame again and again, changed before each time. The ICRC
// is then wrong, but no tracker computes one: its driver says so.
type stream struct {
	driver
	bytes []byte
	time  int64
}

const (
	atClient = 14 + 12 // the last bytes of an IPv4 header: the addresses
	atBTH    = 14 + 20 + 8
	atQP     = atBTH + 5
	atPSN    = atBTH + 9
)

func newStream(tracker *follower, layers ...build.Layer) *stream {
	return &stream{driver: driver{tracker: tracker}, bytes: build.RoCE(layers...)}
}

func (s *stream) put24(at int, v uint32) {
	s.bytes[at], s.bytes[at+1], s.bytes[at+2] = byte(v>>16), byte(v>>8), byte(v)
}

func (s *stream) next() flow.Verdict {
	s.time += 1000
	return s.tracker.Frame(s.unchecked(s.bytes, s.time))
}

// However long a stream that never stops, and however odd, what is kept of it
// stays within bounds.
func TestEndlessStreams(t *testing.T) {
	frames := long.Pick[uint32](20_000, 100_000) // more than of anything is kept
	send := func(text string) []build.Layer {
		return []build.Layer{build.BTH{OpCode: build.RCSendOnly, DestQP: 9}, build.Payload(text)}
	}
	for _, test := range []struct {
		name   string
		layers []build.Layer
		change func(s *stream, i uint32)
	}{
		{"one connection, in order", send("x"), func(s *stream, i uint32) { s.put24(atPSN, i) }},
		{"every second frame missing", send("x"), func(s *stream, i uint32) { s.put24(atPSN, 2*i) }},
		{"one frame missing", send("x"), func(s *stream, i uint32) { s.put24(atPSN, i+min(i, 1)) }},
		{"backwards", send("x"), func(s *stream, i uint32) { s.put24(atPSN, -i) }},
		{"from hole to hole", send("x"), func(s *stream, i uint32) { s.put24(atPSN, i*70_001) }},
		{"a new queue pair each time", send("x"), func(s *stream, i uint32) { s.put24(atQP, i) }},
		{"two frames a queue pair", send("x"), func(s *stream, i uint32) { s.put24(atQP, i/2); s.put24(atPSN, i*50) }},
		{"a new client each time", send("x"), func(s *stream, i uint32) { binary.BigEndian.PutUint32(s.bytes[atClient:], i) }},
		{"a new server each time", send("x"), func(s *stream, i uint32) { binary.BigEndian.PutUint32(s.bytes[atClient+4:], i) }},
		{"acknowledgements of nothing", []build.Layer{build.BTH{OpCode: build.RCAcknowledge, DestQP: 9}, build.AETH{}},
			func(s *stream, i uint32) { s.put24(atPSN, i); s.put24(atQP, i%4000) }},
		{"READ requests without response", []build.Layer{build.BTH{OpCode: build.RCReadRequest, DestQP: 9}, build.RETH{DMALen: 256}},
			func(s *stream, i uint32) { s.put24(atPSN, i) }},
		{"a message without end", []build.Layer{build.BTH{OpCode: build.RCSendMiddle, DestQP: 9}, build.Payload(make([]byte, 256))},
			func(s *stream, i uint32) {
				s.bytes[atBTH] = build.RCSendMiddle
				if i == 0 {
					s.bytes[atBTH] = build.RCSendFirst
				}
				s.put24(atPSN, i)
			}},
		{"messages without end on many connections", []build.Layer{build.BTH{OpCode: build.RCSendMiddle, DestQP: 9}, build.Payload(make([]byte, 4096))},
			func(s *stream, i uint32) {
				s.bytes[atBTH] = build.RCSendMiddle
				if i < 1500 {
					s.bytes[atBTH] = build.RCSendFirst
				}
				s.put24(atPSN, i/1500)
				s.put24(atQP, i%1500)
			}},
		{"REQs without reply", []build.Layer{build.MAD{Attribute: build.AttrREQ, Body: build.RealREQ().Bytes()}},
			func(s *stream, i uint32) {
				const body = atBTH + 12 + 8 + 24
				binary.BigEndian.PutUint32(s.bytes[body:], i)
				s.put24(body+32, i)
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tracker := follow(new(silent), track.Options{})
			s := newStream(tracker, test.layers...)
			for i := range frames {
				test.change(s, i)
				s.next()
				if i%(frames/5) == 0 {
					within(t, tracker)
				}
			}
			within(t, tracker)
			tracker.Flush()
			if c := tracker.Census(); c.Conns+c.Waiting+c.Halves+c.Setups+c.Unpaired+c.Queued+c.Kept+c.Assembled+c.Candidates != 0 {
				t.Errorf("behind the end of the capture: %+v", c)
			}
		})
	}
}

// A connection that was dropped because too many others were busier goes on as
// a new one.
func TestForgottenConnectionGoesOn(t *testing.T) {
	s := newStream(follow(new(silent), track.Options{}), build.BTH{OpCode: build.RCSendOnly}, build.Payload("x"))
	for round := range uint32(2) {
		// Each is released from its wait by many others.
		for qp := range uint32(track.MaxConns + flow.NewLimits(1).Pair + 2) {
			s.put24(atQP, 100+qp)
			s.put24(atPSN, 500+round)
			if v := s.next(); v.Note == flow.Stale {
				t.Fatalf("round %d, queue pair %d: %v", round, qp, v.Note)
			}
		}
	}
	within(t, s.tracker)
}

// A connection of which both directions were known goes on as one at once, with
// nothing that waits: who belongs to whom is not forgotten.
func TestEvictedConnectionGoesOn(t *testing.T) {
	const conns = track.MaxConns + 100
	sink := new(silent)
	tracker := follow(sink, track.Options{Peek: peek})
	call := newStream(tracker, build.IPv4{Src: build.ClientIPv4, Dst: build.ServerIPv4}, build.BTH{OpCode: build.RCSendOnly}, build.Payload(call(0)))
	reply := newStream(tracker, build.IPv4{Src: build.ServerIPv4, Dst: build.ClientIPv4}, build.BTH{OpCode: build.RCSendOnly}, build.Payload(reply(0)))
	const atXID = atBTH + 12 + 1
	for round := range uint32(3) {
		for i := range uint32(conns) {
			for at, s := range []*stream{call, reply} {
				s.put24(atQP, 2*i+uint32(at))
				s.put24(atPSN, i*7+round)
				s.put24(atXID, i)
				v := s.next()
				if waits := round == 0 && at == 0; v.Waiting != waits || v.Note != flow.InOrder {
					t.Fatalf("round %d, connection %d, direction %d: waiting %v, %v", round, i, at, v.Waiting, v.Note)
				}
				if v.Conn != nil && (v.Conn.OneWay() || v.Conn.Holes != 0) {
					t.Fatalf("round %d, connection %d: one way %v, %d holes", round, i, v.Conn.OneWay(), v.Conn.Holes)
				}
			}
		}
		within(t, tracker)
	}
	// In a round those that were evicted oust others, and so on.
	if sink.closed < conns || sink.closed > 3*conns {
		t.Errorf("%d of %d connections were closed to make room", sink.closed, conns)
	}
}

// In the steady state nothing is allocated, whatever is reported: Sends of one and
// of several packets, Reads, Writes, acknowledgements.
func TestFrameAllocatesNothing(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	begin := len(s.Frames)
	for i := range 40 {
		s.Send(build.ToServer, call(uint32(i)))
		s.Ack(build.ToClient)
		transfer(s, uint64(i)<<12, 2500)
		s.Write(build.ToClient, 9, 0, memory(9, 0, 3000))
		s.Send(build.ToClient, memory(1, 0, 3000))
		s.Ack(build.ToServer)
	}
	r := driver{tracker: follow(new(silent), track.Options{Peek: peek})}
	for _, f := range s.Frames[:begin] {
		r.take(f.Data, f.Length, f.Time.UnixNano())
	}
	loop := newLoop(s, begin)
	for range 20 {
		loop.run(&r)
	}
	if n := allocs.Per(10, func() { loop.run(&r) }); n != 0 {
		t.Errorf("%v allocations in %d frames", n, len(loop.frames))
	}
	if c := r.tracker.Census(); c.Conns != 1 || c.Kept != 0 {
		t.Errorf("%+v", c)
	}
}

// A loop is a part of a conversation that can be reported again and again: each
// time its PSNs go on where they ended.
type loop struct {
	frames build.Frames
	grow   [2]uint32 // PSNs that each direction's requests take in one round
}

func newLoop(s *build.Conversation, begin int) *loop {
	l := &loop{grow: [2]uint32{s.NextPSN(build.ToServer) - s.Client.PSN, s.NextPSN(build.ToClient) - s.Server.PSN}}
	for _, f := range s.Frames[begin:] {
		f.Data = append([]byte(nil), f.Data...)
		l.frames = append(l.frames, f)
	}
	return l
}

// run takes all frames, then moves their PSNs on.
func (l *loop) run(r *driver) {
	for i := range l.frames {
		f := &l.frames[i]
		r.raw(f.Data, f.Time.UnixNano())
		space := f.Dir
		if op := f.Data[atBTH]; op >= build.RCReadResponseFirst && op <= build.RCAtomicAcknowledge {
			space = f.Dir.Opposite()
		}
		psn := binary.BigEndian.Uint32(f.Data[atPSN-1:])
		binary.BigEndian.PutUint32(f.Data[atPSN-1:], psn&0xff000000|(psn+l.grow[space])&0xffffff)
	}
}

// raw is take without a look at the ICRC.
func (d *driver) raw(content []byte, time int64) {
	d.tracker.Frame(d.unchecked(content, time))
}

// Whatever order frames come in, the accounts of what is kept stay right.
func TestAccounts(t *testing.T) {
	all := build.Merge(talk(build.Setup{}, 1000, 30), talk(build.Setup{Client: build.Host{QPN: 0x21}, Server: build.Host{QPN: 0x22, PSN: 5}}, 2000, 30))
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		r := driver{tracker: follow(new(silent), track.Options{Peek: peek})}
		for i, f := range all {
			if rnd.IntN(10) == 0 {
				f = all[rnd.IntN(len(all))]
			}
			r.take(f.Data, f.Length, f.Time.UnixNano())
			if i%16 == 0 {
				within(t, r.tracker)
			}
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	s := build.NewConversation(build.Setup{PMTU: 4096})
	s.Connect()
	begin := len(s.Frames)
	for i := range 50 {
		s.Send(build.ToServer, call(uint32(i)))
		s.Ack(build.ToClient)
		transfer(s, uint64(i)<<12, 65536)
		s.Write(build.ToClient, 9, 0, memory(9, 0, 65536))
		s.Send(build.ToClient, reply(uint32(i)))
		s.Ack(build.ToServer)
	}
	var r driver
	r.tracker = follow(new(silent), track.Options{})
	for _, f := range s.Frames[:begin] {
		r.take(f.Data, f.Length, f.Time.UnixNano())
	}
	l := newLoop(s, begin)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += len(l.frames) {
		l.run(&r)
	}
	if c := r.tracker.Census(); c.Conns != 1 || c.Kept != 0 {
		b.Errorf("%+v", c)
	}
}
