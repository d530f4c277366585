package catalogue_test

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// A mutation is one byte of a real capture that is changed, and the finding that
// must come of it.
type mutation struct {
	capture, name string
	// byte finds it, in the frame.
	byte finder
	// to is what becomes of it.
	to func(was byte) byte
	// want is the finding, which the capture does not have as it was taken.
	want string
}

// finder looks for a byte; the spy has received one event more.
type finder func(s *spy) (flow.Place, bool)

// spy is told what a capture holds, until a finder has found its byte.
type spy struct {
	find  finder
	place flow.Place
	found bool

	message *dissect.Message
	access  *dissect.Access
	frame   *dissect.FrameView
}

func (s *spy) Connection(*dissect.Connection, bool) {}
func (s *spy) RPC(*dissect.RPC)                     {}
func (s *spy) Message(m *dissect.Message)           { s.look(spy{message: m}) }
func (s *spy) Access(a *dissect.Access)             { s.look(spy{access: a}) }
func (s *spy) Frame(v *dissect.FrameView)           { s.look(spy{frame: v}) }

func (s *spy) look(event spy) {
	if !s.found {
		s.place, s.found = s.find(&event)
	}
}

// TestOneByte changes one byte in real captures so that a rule is broken, puts the
// checksums right, and wants that rule found, once.
func TestOneByte(t *testing.T) {
	t.Parallel()
	samples := make(map[string][]capture.Frame)
	before := make(map[string]map[string]int64)
	for _, m := range mutations() {
		list, ok := samples[m.capture]
		if !ok {
			list = ruletest.Sample(t, "../../../samples/"+m.capture+".pcap.zst")
			samples[m.capture] = list
			before[m.capture] = counts(ruletest.Check(t, catalogue.All(), list))
		}
		t.Run(m.want+" "+m.name, func(t *testing.T) {
			changed := m.apply(t, list)
			found := ruletest.Check(t, catalogue.All(), changed)
			after := counts(found)
			if n := after[m.want] - before[m.capture][m.want]; n != 1 {
				t.Errorf("%s was found %d times more than without the change, not once", m.want, n)
			}
			for _, f := range found {
				if f.Severity == finding.Error || f.ID() == m.want {
					t.Logf("%s %s frame %d x%d: %s", f.Severity, f.ID(), f.Frame.Number, f.Count, f.Message)
				}
			}
		})
	}
}

// counts is how often each finding was made.
func counts(list []*finding.Finding) map[string]int64 {
	n := make(map[string]int64)
	for _, f := range list {
		n[f.ID()] += f.Count
	}
	return n
}

// apply returns the capture with the change.
func (m mutation) apply(t *testing.T, list []capture.Frame) []capture.Frame {
	t.Helper()
	s := &spy{find: m.byte}
	d := dissect.New(s, dissect.Options{Units: true, Accesses: s})
	for i := range list {
		d.Frame(&list[i])
	}
	d.Flush()
	if !s.found || s.place.Length < 1 {
		t.Fatal("the capture has no such byte")
	}
	i := slices.IndexFunc(list, func(f capture.Frame) bool { return f.Number == s.place.Ref.Number })
	changed := slices.Clone(list)
	f := &changed[i]
	f.Data = slices.Clone(f.Data)
	was := f.Data[s.place.Offset]
	f.Data[s.place.Offset] = m.to(was)
	if f.Data[s.place.Offset] == was {
		t.Fatalf("byte %d of frame %d is %#02x already", s.place.Offset, f.Number, was)
	}
	build.Reseal(f.Data) // but MPA's CRC, which these captures do not have
	return changed
}
