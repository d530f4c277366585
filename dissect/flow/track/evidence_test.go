package track_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// What shows that two halves are one connection, and what does not. The client
// sends three requests; PSNs of its space begin with 100.
func TestEvidence(t *testing.T) {
	ack := func(s *build.Conversation, psns ...uint32) {
		for _, psn := range psns {
			s.AckPSN(build.ToClient, psn)
		}
	}
	three := func(s *build.Conversation) {
		for range 3 {
			s.Send(build.ToServer, []byte("x"))
		}
	}
	response := func(s *build.Conversation, op uint8, psn uint32, n int) {
		layers := []build.Layer{build.Payload(make([]byte, n))}
		if op != build.RCReadResponseMiddle {
			layers = append(layers, build.AETH{Syndrome: build.SyndromeAck})
		}
		s.Packet(build.ToClient, build.BTH{OpCode: op, PSN: psn}, layers...)
	}
	for _, test := range []struct {
		name   string
		tell   func(s *build.Conversation)
		paired bool
	}{
		{"three acknowledgements", func(s *build.Conversation) { three(s); ack(s, 100, 101, 102) }, true},
		{"two acknowledgements", func(s *build.Conversation) { three(s); ack(s, 100, 101) }, false},
		{"the same one three times", func(s *build.Conversation) { three(s); ack(s, 101, 101, 101) }, false},
		{"acknowledgements of others", func(s *build.Conversation) { three(s); ack(s, 103, 104, 105, 99, 98) }, false},
		{"acknowledgements before the requests", func(s *build.Conversation) { ack(s, 100, 101, 102); three(s) }, false},
		{"a call and its reply", func(s *build.Conversation) { s.Send(build.ToServer, call(7)); s.Send(build.ToClient, reply(7)) }, true},
		{"a reply and its call", func(s *build.Conversation) { s.Send(build.ToClient, reply(7)); s.Send(build.ToServer, call(7)) }, true},
		{"a call and the reply to another", func(s *build.Conversation) { s.Send(build.ToServer, call(7)); s.Send(build.ToClient, reply(8)) }, false},
		{"two calls", func(s *build.Conversation) { s.Send(build.ToServer, call(7)); s.Send(build.ToClient, call(7)) }, false},
		{"responses to Reads", func(s *build.Conversation) {
			for range 3 {
				s.ReadRequest(build.ToServer, 1, 0, 2000)
			}
			for i := range uint32(3) {
				response(s, build.RCReadResponseFirst, 100+2*i, 1024)
			}
		}, true},
		{"responses to short Reads", func(s *build.Conversation) {
			for range 3 {
				s.ReadRequest(build.ToServer, 1, 0, 20)
			}
			for i := range uint32(3) {
				response(s, build.RCReadResponseOnly, 100+i, 20)
			}
		}, true},
		{"responses of another length", func(s *build.Conversation) {
			for range 3 {
				s.ReadRequest(build.ToServer, 1, 0, 20)
			}
			for i := range uint32(3) {
				response(s, build.RCReadResponseOnly, 100+i, 24)
			}
		}, false},
		{"responses longer than the Reads", func(s *build.Conversation) {
			for range 3 {
				s.ReadRequest(build.ToServer, 1, 0, 20)
			}
			for i := range uint32(3) {
				response(s, build.RCReadResponseFirst, 100+i, 1024)
			}
		}, false},
		{"responses to no Reads", func(s *build.Conversation) {
			three(s)
			for i := range uint32(3) {
				response(s, build.RCReadResponseOnly, 100+i, 20)
			}
		}, false},
		{"acknowledgements of Reads", func(s *build.Conversation) {
			for range 3 {
				s.ReadRequest(build.ToServer, 1, 0, 20)
			}
			ack(s, 100, 101, 102)
		}, false},
		{"acknowledgements of acknowledgements", func(s *build.Conversation) {
			s.AckPSN(build.ToServer, 100)
			s.AckPSN(build.ToServer, 101)
			s.AckPSN(build.ToServer, 102)
			ack(s, 100, 101, 102)
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := build.NewConversation(build.Setup{Client: build.Host{PSN: 100}})
			test.tell(s)
			want := 2
			if test.paired {
				want = 1
			}
			if d := record(t, s.Frames); len(d.conns) != want {
				t.Errorf("%d connections, want %d", len(d.conns), want)
			}
		})
	}
}

// Three acknowledgements may be for any of two clients' requests, or come from
// any of two servers: then nobody is paired.
func TestEvidenceForTwo(t *testing.T) {
	one := build.NewConversation(build.Setup{Client: build.Host{PSN: 100}})
	two := build.NewConversation(build.Setup{Client: build.Host{PSN: 100, QPN: 0x21}, Server: build.Host{QPN: 0x22}, Start: one.Start.Add(2e3)})
	for _, s := range []*build.Conversation{one, two} {
		for range 4 {
			s.Send(build.ToServer, []byte("x"))
			s.Ack(build.ToClient)
		}
	}
	for name, test := range map[string]struct {
		frames build.Frames
		conns  int
	}{
		"two clients and a server": {build.Merge(one.Frames, two.Frames.Only(build.ToServer)), 3},
		"a client and two servers": {build.Merge(one.Frames, two.Frames.Only(build.ToClient)), 3},
		"two of each":              {build.Merge(one.Frames, two.Frames), 4},
		"one of each":              {one.Frames, 1},
	} {
		if d := record(t, test.frames); len(d.conns) != test.conns {
			t.Errorf("%s: %d connections, want %d", name, len(d.conns), test.conns)
		}
	}
}

// Where one direction has not kept its packets any more, only what answers its
// last requests counts.
func TestEvidenceForOneThatWaitsNoMore(t *testing.T) {
	for back, want := range map[uint32]int{1: 1, 60: 1, 300: 2} {
		s := build.NewConversation(build.Setup{Client: build.Host{PSN: 100}})
		for range 1100 {
			s.Send(build.ToServer, []byte("x"))
		}
		for i := range uint32(3) {
			s.AckPSN(build.ToClient, s.NextPSN(build.ToServer)-back-2+i)
		}
		s.Send(build.ToServer, []byte("x"))
		if d := record(t, s.Frames); len(d.conns) != want {
			t.Errorf("acknowledgements of what was sent %d requests ago: %d connections, want %d", back, len(d.conns), want)
		}
	}
}

// A damaged frame is evidence of nothing.
func TestEvidenceDamaged(t *testing.T) {
	s := build.NewConversation(build.Setup{Client: build.Host{PSN: 100}})
	s.Send(build.ToServer, call(7))
	s.Ack(build.ToClient)
	at := s.Send(build.ToClient, reply(7)).First
	frames := s.Frames.Flip(at, len(s.Frames[at].Data)-1, 1)
	if d := record(t, frames); len(d.conns) != 2 {
		t.Errorf("%d connections, want 2", len(d.conns))
	}
}

// The queue pairs serve a new connection whose setup is not in the capture:
// its PSNs begin elsewhere, and nothing of before counts any more.
func TestPSNsBeginAnew(t *testing.T) {
	s := build.NewConversation(build.Setup{Client: build.Host{PSN: 100}})
	s.Connect()
	s.Send(build.ToServer, memory(1, 0, 2048))
	old := s.ReadRequest(build.ToServer, handle, 0x1000, 3000)
	s.Send(build.ToServer, call(3))
	s.Ack(build.ToClient)
	begun := s.NextPSN(build.ToServer)
	s.Packet(build.ToServer, build.BTH{OpCode: build.RCSendFirst, PSN: begun}, build.Payload(memory(2, 0, 1024)))
	s.Packet(build.ToServer, build.BTH{OpCode: build.RCSendOnly, PSN: begun + 9}, build.Payload("behind a gap"))
	s.ReadResponse(build.Read{Dir: build.ToServer, PSN: 0x500100, Length: 3000}, memory(handle, 0, 3000)) // of no request
	const anew = 0x500000
	for i := range uint32(3) {
		s.Packet(build.ToServer, build.BTH{OpCode: build.RCSendOnly, PSN: anew + i}, build.Payload(call(10+i)))
	}
	s.Packet(build.ToServer, build.BTH{OpCode: build.RCSendMiddle, PSN: anew + 3}, build.Payload(memory(2, 1024, 1024)))
	s.ReadResponse(old, memory(handle, 0x1000, 3000))
	for range 100 {
		s.CNP(build.ToClient)
	}
	s.Packet(build.ToServer, build.BTH{OpCode: build.RCReadRequest, PSN: anew + 4}, build.RETH{RKey: handle, VA: 0x1000, DMALen: 3000})
	d := record(t, s.Frames)
	if got := d.texts(0); len(got) != 5 || got[2] != string(call(10)) || got[4] != string(call(12)) {
		t.Errorf("%d whole Sends of %d, want 5", len(got), len(d.sends))
	}
	if len(d.data) != 0 {
		t.Errorf("%d responses were placed, of another life of the queue pair", len(d.data))
	}
	if c := d.only(); disorder(c) != (flow.Counters{}) {
		t.Errorf("%+v", disorder(c))
	}
}
