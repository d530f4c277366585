package dissect_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A surveyor is a Sink and an AccessSink that holds places against the frames.
type surveyor struct {
	testing.TB
	frames               frames
	messages, whole      int
	pieces, spread       int // places of all messages, and messages that have several
	accesses             int
	named                int // accesses whose header lies together
	rnd                  *rand.Rand
	moved                map[*dissect.RPC][3]uint64 // bytes by kind
	outside              [3]uint64                  // those of no RPC
	begun                [3]int                     // operations of no RPC that begin
	announced            [3]uint32                  // by the last of them
	asked, pulled, wrote uint64
}

// survey dissects frames for a surveyor. Their numbers are their places in the list.
func survey(t testing.TB, list frames) *surveyor {
	t.Helper()
	s := &surveyor{TB: t, frames: list, rnd: rand.New(rand.NewPCG(1, 2)), moved: make(map[*dissect.RPC][3]uint64)}
	d := dissect.New(s, dissect.Options{Accesses: s})
	for i, f := range list {
		f.Number = int64(i + 1)
		f.Data = slices.Clone(f.Data)
		d.Frame(&f)
		clear(f.Data) // they are the reader's
	}
	d.Flush()
	return s
}

// at are the bytes of a place.
func (s *surveyor) at(p flow.Place) []byte {
	f := s.frames[p.Ref.Number-1].Data
	if p.Length <= 0 || p.Offset < 0 || p.Offset+p.Length > len(f) {
		s.Errorf("%+v is no place in a frame of %d bytes", p, len(f))
		return nil
	}
	return f[p.Offset : p.Offset+p.Length]
}

// lie holds some bytes of a message against those at its places.
func (s *surveyor) lie(m *dissect.Message, offset, length int) {
	var got []byte
	places := m.Place(nil, offset, length)
	for i, p := range places {
		if at, ok := m.Offset(p); !ok || i == 0 && at != offset {
			s.Errorf("%+v is byte %d of the message (%v), want %d", p, at, ok, offset)
		}
		got = append(got, s.at(p)...)
		if !slices.Contains(m.Frames, p.Ref) {
			s.Errorf("frame %d is none of the frames %v", p.Ref.Number, m.Frames)
		}
	}
	raw := m.Raw()
	from := min(offset, len(raw))
	if want := raw[from:min(offset+length, len(raw))]; !bytes.Equal(got, want) {
		s.Errorf("XID %#08x: bytes %d to %d of %d lie at %v, where others are", m.Header.XID, offset, offset+length, len(raw), places)
	}
	if s.pieces += len(places); len(places) > 1 {
		s.spread++
	}
}

func (*surveyor) Connection(*dissect.Connection, bool) {}

func (s *surveyor) Message(m *dissect.Message) {
	s.messages++
	raw := m.Raw()
	if m.Whole {
		s.whole++
		if len(raw) != m.Length {
			s.Errorf("%d bytes of a whole message of %d", len(raw), m.Length)
		}
	}
	s.lie(m, 0, m.Length)
	s.lie(m, 0, len(raw)+100)
	if len(raw) > 0 {
		from := s.rnd.IntN(len(raw))
		s.lie(m, from, s.rnd.IntN(len(raw)-from+1))
		s.lie(m, from, 1)
	}
	if _, ok := m.Offset(flow.Place{Ref: flow.Ref{Number: 1 << 40}, Length: 1}); ok {
		s.Error("a frame that is not the message's is a part of it")
	}
	if len(m.Place(nil, len(raw), 1))+len(m.Place(nil, 0, 0)) != 0 {
		s.Error("no bytes have a place")
	}
	if h := m.Header.Length; len(raw) >= h && !bytes.Equal(m.Inline(), raw[h:]) {
		s.Errorf("%d bytes are inline, want %d", len(m.Inline()), len(raw)-h)
	}
}

func (s *surveyor) Frame(v *dissect.FrameView) {
	if m := v.Message; m != nil && m.Raw() != nil {
		s.Error("the bytes of a message that was told are there")
	}
}

func (s *surveyor) RPC(r *dissect.RPC) {
	moved := s.moved[r]
	delete(s.moved, r)
	if moved[dissect.AccessWrite] != r.Offer.WriteBytes || moved[dissect.AccessReadData] != r.Offer.ReadBytes {
		s.Errorf("XID %#08x: accesses of %d bytes written and %d read, the offer has %d, %d",
			r.XID, moved[dissect.AccessWrite], moved[dissect.AccessReadData], r.Offer.WriteBytes, r.Offer.ReadBytes)
	}
	asked := uint64(0)
	for i := range r.Offer.Regions {
		for _, span := range r.Offer.Regions[i].Asked {
			asked += span.End - span.Start
		}
	}
	if moved[dissect.AccessRead] != asked {
		s.Errorf("XID %#08x: accesses ask for %d bytes, the offer has %d", r.XID, moved[dissect.AccessRead], asked)
	}
	s.wrote, s.pulled, s.asked = s.wrote+r.Offer.WriteBytes, s.pulled+r.Offer.ReadBytes, s.asked+asked
}

// TestPlacesInRealCaptures finds every byte of the messages of the real captures in
// their frames, and every RDMA operation's header.
func TestPlacesInRealCaptures(t *testing.T) {
	names, err := filepath.Glob("../samples/*.pcap.zst")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		name = strings.TrimSuffix(filepath.Base(name), ".pcap.zst")
		t.Run(name, func(t *testing.T) {
			s := survey(t, load(t, name))
			perftest := strings.HasSuffix(name, "-perftest")
			if !perftest && (s.whole == 0 || s.wrote == 0) || s.accesses == 0 || s.named == 0 {
				t.Errorf("%d messages, %d whole; %d accesses, %d with a header in one place; %d bytes written, %d asked for, %d read",
					s.messages, s.whole, s.accesses, s.named, s.wrote, s.asked, s.pulled)
			}
			if !perftest && s.outside != [3]uint64{} && !strings.HasSuffix(name, "-loss") {
				t.Errorf("bytes that no call advertised: %v", s.outside)
			}
			if s.named < s.accesses*9/10 {
				t.Errorf("of %d accesses only %d have their header in one place", s.accesses, s.named)
			}
		})
	}
}

// TestPlaces finds them however iWARP puts bytes into frames, and in whatever
// order the capture has those.
func TestPlaces(t *testing.T) {
	roce := build.NewConversation(build.Setup{PMTU: 256})
	roce.Connect()
	everyTransfer(roce)
	all := map[string]build.Frames{"RoCEv2": roce.Frames}
	for name, setup := range map[string]build.IWARPSetup{
		"iWARP":                   {},
		"markers":                 {MarkersToServer: true, MarkersToClient: true, CRC: true},
		"FPDUs over segments":     {MSS: 400, MULPDU: 1100, MarkersToServer: true, MarkersToClient: true},
		"segments of five bytes":  {MSS: 5, MULPDU: 500, MarkersToServer: true},
		"segments of seven bytes": {MSS: 7, MULPDU: 1100},
		"many FPDUs in a segment": {TSO: 65160, MULPDU: 200, MarkersToServer: true, MarkersToClient: true},
		"sequence numbers wrap":   {ClientISN: 0xffffff00, ServerISN: 0xfffff000},
	} {
		c := build.NewIWARP(setup)
		c.Connect()
		everyTransfer(c)
		all[name] = c.Frames
	}
	for name, f := range maps.Clone(all) {
		for i := 0; i+3 < len(f); i += 7 {
			f = f.Swap(i+1, i+3) // in another order than they were sent
		}
		all[name+", shuffled"] = f
	}
	for name, f := range all {
		t.Run(name, func(t *testing.T) {
			s := survey(t, captured(f))
			if s.messages != 22 || s.whole != 22 || s.wrote != 5000+5128 || s.pulled != 5000+5100 || s.asked != s.pulled || s.outside != [3]uint64{} {
				t.Errorf("%d messages, %d whole, %d bytes written, %d read of %d, %v without a call", s.messages, s.whole, s.wrote, s.pulled, s.asked, s.outside)
			}
		})
	}
}

func captured(list build.Frames) (all frames) {
	for _, f := range list {
		all = append(all, capture.Frame{Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(len(f.Data))})
	}
	return all
}
