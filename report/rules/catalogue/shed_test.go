package catalogue_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/shed"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
	"github.com/rdmacap/rdmacap/rocev2"
)

// hosts are the two of a copy of a sample.
type hosts struct{ client, server [4]byte }

func (h hosts) bucket() int {
	return shed.Bucket(link.AddrIPv4(h.client[:]), link.AddrIPv4(h.server[:]))
}

// pairs are two pairs of hosts, of which the first has the lower bucket.
func pairs() (low, high hosts) {
	low = hosts{[4]byte{198, 51, 100, 2}, [4]byte{198, 51, 100, 1}}
	high = hosts{[4]byte{203, 0, 113, 2}, [4]byte{203, 0, 113, 1}}
	if low.bucket() > high.bucket() {
		low, high = high, low
	}
	return low, high
}

// between moves a sample to other hosts, and makes its ICRCs right again. The addresses stand
// in messages of connection management too, and in their private data.
func between(t testing.TB, list []capture.Frame, h hosts) []capture.Frame {
	t.Helper()
	var p link.Packet
	list = slices.Clone(list)
	for i := range list {
		f := &list[i]
		f.Data = bytes.ReplaceAll(f.Data, []byte{192, 0, 2, 2}, h.client[:])
		f.Data = bytes.ReplaceAll(f.Data, []byte{192, 0, 2, 1}, h.server[:])
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		if computed, carried, ok := rocev2.ICRC(f.Data, &p); ok && computed != carried && p.Transport != link.TCP {
			binary.BigEndian.PutUint32(f.Data[p.End()-4:], computed)
		}
	}
	return list
}

// together are the frames of two captures at a time, each from its begin on.
func together(a, b []capture.Frame) (all []capture.Frame) {
	began := a[0].Time - b[0].Time
	all = slices.Clone(a)
	for _, f := range b {
		f.Time += began
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(x, y capture.Frame) int { return cmp.Compare(x.Time, y.Time) })
	for i := range all {
		all[i].Number = int64(i + 1)
	}
	return all
}

// frames is a Source that gives one after the other.
type frames struct {
	list []capture.Frame
	at   int
}

func (s *frames) Next(f *capture.Frame) error {
	if s.at == len(s.list) {
		return io.EOF
	}
	*f = s.list[s.at]
	s.at++
	return nil
}

// A shedding is what is reported of a capture of which a pair of hosts was shed for a while:
// of each client its RPCs and findings.
type shedding struct {
	*rules.Checker
	rpcs       map[string][]string
	incomplete map[string]int
	found      map[string][]string
	accused    map[string]string // by client and rule, with what is reported
	frames     int64
}

func (s *shedding) RPC(r *dissect.RPC) {
	client := r.Connection.Client().Addr.String()
	line := fmt.Sprintf("%08x %v %v %q", r.XID, r.Frames, r.Complete, r.Missing)
	s.rpcs[client] = append(s.rpcs[client], line)
	if !r.Complete {
		s.incomplete[client]++
	}
	s.Checker.RPC(r)
}

// shedFrom runs the rules over a capture of which what is in the buckets below is shed
// from one frame to another.
func shedFrom(t testing.TB, all []*rules.Rule, list []capture.Frame, below, from, to int) *shedding {
	t.Helper()
	s := &shedding{rpcs: map[string][]string{}, incomplete: map[string]int{}, found: map[string][]string{}, accused: map[string]string{}}
	s.Checker = rules.NewChecker(all, rules.DefaultConfig(), func(c *dissect.Connection, found []*finding.Finding) {
		client := ""
		if c != nil {
			client = c.Client().Addr.String()
		}
		for _, f := range found {
			if f.ID() == "SYM-008" {
				continue // it is about what was seen, and accuses nobody
			}
			s.found[client] = append(s.found[client], fmt.Sprint(f.Severity, f.ID(), f.Message, f.XID, f.Frame, f.Count, f.Doubt))
			s.accused[client+" "+f.ID()] = fmt.Sprint(f.Severity, " frame ", f.Frame.Number, ": ", f.Message, " [", f.Doubt, "]")
		}
	})
	bindings := bindingsOf(t, all)
	source := &frames{list: list}
	shedder := shed.New(func(time.Time, *shed.Frames) shed.Order {
		if from <= source.at && source.at < to {
			return shed.Order{Below: below}
		}
		return shed.Order{}
	})
	d := dissect.New(s, dissect.Options{Units: true, Accesses: s.Checker, Bindings: bindings, Shed: shedder})
	if faults, err := d.Run(source, func(bool) error { return nil }); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	s.Over()
	d.Flush()
	s.Finish()
	s.frames = d.Summary().Frames
	if got := s.frames + shedder.Shed(); got != int64(len(list)) {
		t.Errorf("%d frames were followed and %d shed, of %d", s.frames, shedder.Shed(), len(list))
	}
	for _, list := range s.found {
		slices.Sort(list)
	}
	return s
}

// moreThan are findings that others do not have.
func (s *shedding) moreThan(others ...*shedding) (list []string) {
	for id, said := range s.accused {
		if !slices.ContainsFunc(others, func(o *shedding) bool { return o.accused[id] != "" }) {
			list = append(list, id+" "+said)
		}
	}
	return list
}

// TestShed has two samples at a time, of which one is shed for a while and then taken in
// again: of the other everything is reported as if nothing had happened, and of the one nothing
// that is not said of it without, or of a capture that ends where it is shed or begins where it
// is taken in: notes, that something is not in the capture.
func TestShed(t *testing.T) {
	t.Parallel()
	low, high := pairs()
	all := catalogue.All()
	rounds := long.Pick(2, 20)
	names := long.Pick([]string{"rxe-cb", "siw-cb"}, []string{
		"rxe-cb", "siw-cb", "rxe-acl", "rxe-basic", "siw-basic", "rxe-krb", "rxe-loss", "siw-loss", "rxe-thresh", "version2-roce", "version2-iwarp",
	})
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := func(name string) string { return "../../../samples/" + name + ".pcap.zst" }
			victim := between(t, ruletest.Sample(t, path(name)), low)
			other := between(t, ruletest.Sample(t, path(names[(i+1)%len(names)])), high)
			list := together(victim, other)
			low, high := link.AddrIPv4(low.client[:]).String(), link.AddrIPv4(high.client[:]).String()
			whole := shedFrom(t, all, list, 0, 0, 0)
			if whole.frames != int64(len(list)) || len(whole.rpcs[low]) == 0 || len(whole.rpcs[high]) == 0 {
				t.Fatalf("%d frames, %d and %d RPCs", whole.frames, len(whole.rpcs[low]), len(whole.rpcs[high]))
			}
			rnd := rand.New(rand.NewPCG(uint64(i), 3))
			for range rounds {
				from := rnd.IntN(len(list))
				to := from + 1 + rnd.IntN(len(list)-from)
				got := shedFrom(t, all, list, pairsBelow(), from, to)
				what := fmt.Sprintf("shed from frame %d to %d of %d", from+1, to, len(list))
				if got.frames == whole.frames {
					continue // it had no frames there
				}
				for kind, lists := range map[string][2][]string{
					"RPCs":     {whole.rpcs[high], got.rpcs[high]},
					"findings": {whole.found[high], got.found[high]},
				} {
					if !slices.Equal(lists[0], lists[1]) {
						t.Errorf("%s: %s of the other: %d, not %d:\n%s", what, kind, len(lists[1]), len(lists[0]), missingOf(lists))
					}
				}
				for _, rpc := range got.rpcs[low] {
					if !slices.Contains(whole.rpcs[low], rpc) {
						t.Errorf("%s: an RPC is not as it was: %s", what, rpc)
					}
				}
				for _, id := range got.moreThan(whole, shedFrom(t, all, list[:from], 0, 0, 0), shedFrom(t, all, list[to:], 0, 0, 0)) {
					t.Errorf("%s: %s", what, id)
				}
			}
		})
	}
}

// TestShedScenes sheds a part of each sample of the rules: no rule says anything then
// that it does not say of the whole, or of what comes after.
func TestShedScenes(t *testing.T) {
	t.Parallel()
	all := catalogue.All()
	for i, r := range all {
		if i%long.Pick(12, 1) != 0 {
			continue
		}
		for _, s := range r.AllSamples() {
			for over, not := range map[scene.Transport]rules.Transport{scene.RoCE: rules.IWARP, scene.IWARP: rules.RoCE} {
				if s.Over == not {
					continue
				}
				list := ruletest.Frames(t, s.Text(), over)
				whole := shedFrom(t, all, list, 0, 0, 0)
				rnd := rand.New(rand.NewPCG(uint64(i), 4))
				for range long.Pick(1, 4) {
					from := rnd.IntN(len(list))
					to := from + 1 + rnd.IntN(len(list)-from)
					got := shedFrom(t, all, list, shed.Buckets, from, to)
					for _, id := range got.moreThan(whole, shedFrom(t, all, list[:from], 0, 0, 0), shedFrom(t, all, list[to:], 0, 0, 0)) {
						t.Errorf("%s, %s, shed from frame %d to %d of %d: %s", r.ID, s.Name, from+1, to, len(list), id)
					}
				}
			}
		}
	}
}

// pairsBelow is the level at which the first of pairs is shed, and the other is not.
func pairsBelow() int {
	low, _ := pairs()
	return low.bucket() + 1
}

// missingOf are lines that one list has and the other has not.
func missingOf(lists [2][]string) (s string) {
	for i, sign := range []string{"-", "+"} {
		for _, line := range lists[i] {
			if !slices.Contains(lists[1-i], line) {
				s += sign + line + "\n"
			}
		}
	}
	return s
}
