package dissect_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// counted2 is what a Sink saw of a message, and what its connection said of itself
// then.
type counted2 struct {
	xid           uint32
	role          dissect.Role
	toServer      int
	toClient      int
	source        string
	known         bool
	agreed        uint32
	invalidation  dissect.Invalidation
	invalidates   bool
	answersOption rpcrdma.OptionType
	answers       int
	malformed     string
}

// sink2 is a Sink that keeps what version 2 is about.
type sink2 struct {
	messages    []counted2
	rpcs        []rpcRecord
	negotiation dissect.Negotiation
	tried       bool
	changes     [2][]dissect.Change // of client and server
	last        rpcrdma.Thresholds
	known       bool
	at          func(c *dissect.Connection) // when the connection has ended
	recording
}

func (s *sink2) Message(m *dissect.Message) {
	th, known := m.Connection.Thresholds()
	n, _ := m.Connection.Negotiation()
	t := counted2{xid: m.Header.XID, role: m.Role(), toServer: th.ToServer, toClient: th.ToClient, source: th.Source.String(), known: known, agreed: n.Agreed, malformed: m.Malformed()}
	t.invalidation, t.invalidates = m.Invalidation()
	if o := m.Optional(); o != nil {
		t.answersOption, t.answers = o.Type, o.Answers
	}
	s.messages = append(s.messages, t)
}

func (s *sink2) Connection(c *dissect.Connection, final bool) {
	s.recording.Connection(c, final)
	if !final {
		return
	}
	s.negotiation, s.tried = c.Negotiation()
	s.changes[0] = slices.Clone(c.Characteristics(c.ClientEnd).Changes())
	s.changes[1] = slices.Clone(c.Characteristics(c.ClientEnd.Peer()).Changes())
	s.last, s.known = c.Thresholds()
	if s.at != nil {
		s.at(c)
	}
}

// see dissects frames.
func see(t *testing.T, list frames, s *sink2) *sink2 {
	t.Helper()
	d := dissect.New(s, dissect.Options{})
	var f capture.Frame
	for src := (&source{list}); src.Next(&f) == nil; {
		d.Frame(&f)
	}
	d.Flush()
	s.rpcs = s.recording.rpcs
	s.summary = d.Summary()
	return s
}

// of is what was reported of the messages with an XID.
func (s *sink2) of(xid uint32) (list []counted2) {
	for _, m := range s.messages {
		if m.xid == xid {
			list = append(list, m)
		}
	}
	return list
}

// TestVersion2Story reads the sample of version 2 over both transports.
func TestVersion2Story(t *testing.T) {
	for _, name := range []string{"version2-roce", "version2-iwarp"} {
		t.Run(name, func(t *testing.T) {
			s := see(t, load(t, name), new(sink2))
			if s.summary.RPCs != 13 || s.summary.IncompleteRPCs != 0 || len(s.messages) != 37 {
				t.Errorf("%d RPCs, %d incomplete, %d messages; want 13, 0, 37", s.summary.RPCs, s.summary.IncompleteRPCs, len(s.messages))
			}
			for _, r := range s.rpcs {
				if r.call == nil || r.reply == nil {
					t.Errorf("XID %d: call %v, reply %v", r.xid, r.call, r.reply)
				}
				if r.reverse != (r.xid == 0x101) {
					t.Errorf("XID %d: reverse %v", r.xid, r.reverse)
				}
			}
			n := s.negotiation
			if !s.tried || n.Tried != 2 || n.Agreed != 2 || n.Refused {
				t.Errorf("negotiation %+v", n)
			}
			checkThresholds(t, s)
			checkInvalidations(t, s)
			checkAnswers(t, s)
		})
	}
}

func checkThresholds(t *testing.T, s *sink2) {
	t.Helper()
	for i, want := range []struct {
		xid                uint32
		which              int // of the messages with that XID
		toServer, toClient int
		source             string
	}{
		{0x1001, 0, 1024, 1024, "default"},         // nothing of the server was seen
		{0x2001, 0, 4096, 8192, "characteristics"}, // agreed by it; the client's RBSIZ is known
		{1, 0, 4096, 8192, "characteristics"},
		{0x1002, 1, 4096, 8192, "characteristics"}, // RESP_XCHAR: pending
		{0x2003, 0, 16384, 8192, "characteristics"},
		{8, 0, 16384, 12288, "characteristics"}, // after UPD_XCHAR and RESP_XCHAR
	} {
		list := s.of(want.xid)
		if len(list) <= want.which {
			t.Fatalf("%d messages with XID %#x", len(list), want.xid)
		}
		if m := list[want.which]; !m.known || m.toServer != want.toServer || m.toClient != want.toClient || m.source != want.source {
			t.Errorf("%d: XID %#x: thresholds %d and %d (%s), known %v; want %+v", i, want.xid, m.toServer, m.toClient, m.source, m.known, want)
		}
	}
}

func checkInvalidations(t *testing.T, s *sink2) {
	t.Helper()
	got := make(map[uint32]dissect.Invalidation)
	for _, m := range s.messages {
		if m.invalidates {
			got[m.xid] = m.invalidation
		}
	}
	if len(got) != 5 {
		t.Errorf("%d Sends with Invalidate, want 5", len(got))
	}
	for xid, handle := range map[uint32]uint32{3: 0xc83, 4: 0xd01, 6: 0xe01, 7: 0xe02, 10: 0xc87} {
		if want := (dissect.Invalidation{Handle: handle, CallKnown: true, Segments: 1, Permission: dissect.Permitted}); got[xid] != want {
			t.Errorf("XID %d: %+v, want %+v", xid, got[xid], want)
		}
	}
}

func checkAnswers(t *testing.T, s *sink2) {
	t.Helper()
	for xid, want := range map[uint32]rpcrdma.OptionType{0x1002: rpcrdma.ReqXchar, 0x2003: rpcrdma.ReqXchar, 12: 77, 13: 0} {
		list := s.of(xid)
		if len(list) != 2 || list[1].answersOption != want || list[1].answers != 1 || list[1].role != dissect.RoleNone || list[0].answers != 0 {
			t.Errorf("XID %#x: %+v; want one that answers %v", xid, list, want)
		}
	}
	type value struct {
		id    rpcrdma.CharacteristicID
		value uint32
		by    rpcrdma.OptionType
		fixed bool
	}
	for who, want := range [2][]value{
		{{1, 8192, rpcrdma.InitXchar, false}, {2, 1, rpcrdma.InitXchar, true}, {3, 2, rpcrdma.InitXchar, true}, {1, 12288, rpcrdma.RespXchar, false}},
		{{1, 4096, rpcrdma.InitXchar, false}, {2, 0, rpcrdma.InitXchar, false}, {3, 3, rpcrdma.InitXchar, false}, {1, 16384, rpcrdma.UpdXchar, false}},
	} {
		var got []value
		for _, c := range s.changes[who] {
			if !c.Known {
				t.Errorf("end %d: %v is not known", who, c.ID)
			}
			got = append(got, value{c.ID, c.Value, c.By, c.NoChange})
		}
		if !slices.Equal(got, want) {
			t.Errorf("end %d announced %v, want %v", who, got, want)
		}
	}
}

// TestFallback reads the sample of a server that knows version 1 only.
func TestFallback(t *testing.T) {
	for _, name := range []string{"fallback-roce", "fallback-iwarp"} {
		s := see(t, load(t, name), new(sink2))
		n := s.negotiation
		if !s.tried || n.Tried != 2 || !n.Refused || n.Low != 1 || n.High != 1 || n.Agreed != 1 || n.RefusedIn == n.AgreedIn {
			t.Errorf("%s: negotiation %+v", name, n)
		}
		if first := s.of(1); first[0].toServer != 1024 || first[0].source != "default" || first[0].role != dissect.RoleCall {
			t.Errorf("%s: the first message %+v", name, first[0])
		}
		if s.last.ToServer != 4096 || s.last.Source != rpcrdma.ThresholdPrivateData || !s.known || s.summary.IncompleteRPCs != 0 || s.summary.RPCs != 5 {
			t.Errorf("%s: thresholds %+v, %d RPCs, %d incomplete", name, s.last, s.summary.RPCs, s.summary.IncompleteRPCs)
		}
	}
	if s := see(t, load(t, "rxe-cb"), new(sink2)); s.tried || s.changes[0] != nil {
		t.Errorf("version 1: negotiation %+v", s.negotiation)
	}
}
