package track_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// bytesAt are the bytes of a place in frames that are numbered from 1 on.
func bytesAt(t *testing.T, frames build.Frames, p flow.Place) []byte {
	t.Helper()
	if p.Length == 0 {
		t.Fatal("no place")
	}
	return frames[p.Ref.Number-1].Data[p.Offset : p.Offset+p.Length]
}

// What the ends say in REQ and REP is told with its place, and so is each message.
func TestHandshakeOfManagement(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Request()
	s.Wait(1e9)
	s.Connect()
	greet(s, 1)
	s.Disconnect()
	k := &record(t, s.Frames).only().Handshake
	req, rep := &k.Declared[0], &k.Declared[1]
	if !req.Captured || !req.Whole || req.Frame.Number != 2 || req.QPN != s.Client.QPN || req.CommID != s.Client.CommID {
		t.Errorf("REQ: %+v", req)
	}
	if !rep.Captured || !rep.Whole || rep.Frame.Number != 3 || rep.QPN != s.Server.QPN || rep.CommID != s.Server.CommID {
		t.Errorf("REP: %+v", rep)
	}
	for _, x := range []struct {
		name string
		told *flow.Declared
		term flow.Term
		// The bytes of its place are a number, of which the value is what mask has
		// after a shift to the right by skip.
		skip, mask int
		code       map[int]int // of a value that stands there as a code
	}{
		{"responder resources of the REQ", req, req.Takes, 0, 0xff, nil},
		{"initiator depth of the REQ", req, req.Issues, 0, 0xff, nil},
		{"starting PSN of the REQ", req, req.StartingPSN, 0, 0xffffff, nil},
		{"RNR retry count of the REQ", req, req.RNRRetry, 0, 7, nil},
		{"retry count of the REQ", req, req.Retry, 0, 7, nil},
		{"Local ACK Timeout of the REQ", req, req.AckTimeout, 3, 31, nil},
		{"path MTU of the REQ", req, req.PathMTU, 4, 15, map[int]int{1: 256, 2: 512, 3: 1024, 4: 2048, 5: 4096}},
		{"responder resources of the REP", rep, rep.Takes, 0, 0xff, nil},
		{"initiator depth of the REP", rep, rep.Issues, 0, 0xff, nil},
		{"starting PSN of the REP", rep, rep.StartingPSN, 0, 0xffffff, nil},
		{"RNR retry count of the REP", rep, rep.RNRRetry, 5, 7, nil},
	} {
		n := 0
		for _, b := range bytesAt(t, s.Frames, x.told.Place(x.term)) {
			n = n<<8 | int(b)
		}
		if n = n >> x.skip & x.mask; x.code != nil {
			n = x.code[n]
		}
		if !x.term.Known || x.term.Value != n {
			t.Errorf("%s is %d, known %v; where it is said to be stands %d", x.name, x.term.Value, x.term.Known, n)
		}
	}
	if rep.Retry.Known || rep.AckTimeout.Known || rep.PathMTU.Known || rep.Place(rep.Retry).Length != 0 {
		t.Errorf("the REP has what only a REQ has: %+v", rep)
	}
	for _, x := range k.Declared {
		if got := bytesAt(t, s.Frames, x.Private); string(got) != string(x.PrivateData) {
			t.Errorf("the private data %x stand at %v, where %x is", x.PrivateData, x.Private, got)
		}
	}
	names := ""
	for _, x := range k.Steps {
		names += x.Name + " "
	}
	if names != "REQ REQ REP RTU DREQ DREP " || !k.Steps[1].Again || k.Again != 1 || !k.RTU || !k.Ended || k.Over.Name != "DREQ" || k.Left != 0 {
		t.Errorf("%s: %+v", names, k)
	}
}

// What a snap length cut is not known, and nowhere.
func TestHandshakeCut(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	whole := record(t, s.Frames).only().Handshake.Declared[0]
	for n, want := range map[int]bool{whole.Private.Offset: false, whole.Private.Offset + 50: false, len(s.Frames[0].Data): true} {
		x := record(t, s.Frames.Cut(n)).only().Handshake.Declared[0]
		if !x.Captured || x.Whole != want || (x.PrivateData != nil) != want || (x.Private.Length > 0) != want {
			t.Errorf("cut to %d bytes: %+v", n, x)
		}
		if x.Takes != whole.Takes || x.PathMTU != whole.PathMTU || x.AckTimeout != whole.AckTimeout {
			t.Errorf("cut to %d bytes: the depths are %+v and %+v", n, x.Takes, x.Issues)
		}
	}
	cut := whole.Place(whole.AckTimeout).Offset
	if x := record(t, s.Frames.Cut(cut)).only().Handshake.Declared[0]; x.AckTimeout.Known || x.Place(x.AckTimeout).Length != 0 || !x.Takes.Known {
		t.Errorf("cut to %d bytes: the Local ACK Timeout is %+v, the responder resources %+v", cut, x.AckTimeout, x.Takes)
	}
}

// The same of MPA frames.
func TestHandshakeOfMPA(t *testing.T) {
	s := build.NewIWARP(build.IWARPSetup{ClientDepths: &build.Depths{IRD: 7, ORD: 1}, ServerDepths: &build.Depths{IRD: 2, ORD: 5}})
	s.Connect()
	s.Disconnect()
	list := s.Frames
	c := record(t, list).only()
	k := &c.Handshake
	for e, x := range k.Declared {
		if !x.Captured || !x.Whole || !x.Depths() {
			t.Fatalf("end %d: %+v", e, x)
		}
		for _, term := range []flow.Term{x.Takes, x.Issues} {
			if got := int(binary.BigEndian.Uint16(bytesAt(t, list, x.Place(term)))) & 0x3fff; got != term.Value {
				t.Errorf("end %d: %+v stands as %d", e, term, got)
			}
		}
		if got := bytesAt(t, list, x.Private); string(got) != string(c.Ends[e].PrivateData) {
			t.Errorf("end %d: private data %x, where %x is", e, c.Ends[e].PrivateData, got)
		}
	}
	if k.Declared[0].Takes.Value != 7 || k.Declared[1].Issues.Value != 5 {
		t.Errorf("depths %+v, %+v", k.Declared[0], k.Declared[1])
	}
	if len(k.Steps) != 4 || k.Steps[0].Name != "MPA Request" || k.Steps[1].Name != "MPA Reply" || k.Steps[2].Name != "FIN" || !k.Ended || k.Over != k.Steps[2] {
		t.Errorf("%+v", k)
	}
}
