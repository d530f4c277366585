package dissect_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
)

// A eventRecord is a dissect.Part that writes down all that it is told, but for the numbers
// of connections, which have none at that time.
type eventRecord struct {
	d     *dissect.Dissector
	pages []page
	told  *[]string
}

// A page is one entry of a diary.
type page struct {
	at   flow.Position
	conn *dissect.Connection
	text string
}

func (b *eventRecord) write(c *dissect.Connection, format string, args ...any) {
	at := b.d.At()
	text := fmt.Sprintf("%d newest %d: ", at.Ordinal, b.d.Newest()) + fmt.Sprintf(format, args...)
	b.pages = append(b.pages, page{at, c, text})
}

func (b *eventRecord) Connection(c *dissect.Connection, final bool) {
	b.write(c, "connection, final %v: %v %v %v %v %v %+v %+v %d messages, %d RPCs", final, c.Client().Addr, c.Client().QPN, c.Server().QPN, c.Setup, c.Closing, c.Counters, c.Gaps, c.Messages, c.RPCs)
}

func (b *eventRecord) Frame(v *dissect.FrameView) {
	m := "no message"
	if v.Message != nil {
		m = fmt.Sprintf("message 0x%08x", v.Message.Header.XID)
	}
	b.write(v.Connection, "frame %v from %d: %v, %d missing, waiting %v, faulty %v; %s", v.Ref(), v.Verdict.From, v.Verdict.Note, v.Verdict.Missing, v.Verdict.Waiting, v.Faulty(), m)
}

func (b *eventRecord) Message(m *dissect.Message) {
	b.write(m.Connection, "message 0x%08x of %d bytes from %d in %v, whole %v, %v", m.Header.XID, m.Length, m.From, m.Frames, m.Whole, m.Role())
}

func (b *eventRecord) RPC(r *dissect.RPC) {
	b.write(r.Connection, "RPC 0x%08x, reverse %v, complete %v %q, %d and %d bytes moved, frames %v", r.XID, r.Reverse(), r.Complete, r.Missing, r.Offer.ReadBytes, r.Offer.WriteBytes, r.Frames)
}

func (b *eventRecord) Access(a *dissect.Access) {
	b.write(a.Connection, "%v by %d: 0x%08x, %d and %d, of an RPC %v", a.Kind, a.From, a.Handle, a.Offset, a.Length, a.RPC != nil)
}

// Flush is that of dissect.Part. Cut again, it leaves the pages alone that it returned.
func (b *eventRecord) Flush() dissect.Queue {
	q := &pages{b.pages, b.told}
	b.pages = nil
	return q
}

type pages struct {
	list []page
	told *[]string
}

func (q *pages) Len() int               { return len(q.list) }
func (q *pages) At(i int) flow.Position { return q.list[i].at }
func (q *pages) Done()                  {}
func (q *pages) Emit(i int) {
	number := 0
	if c := q.list[i].conn; c != nil {
		number = c.ID
	}
	*q.told = append(*q.told, fmt.Sprintf("%d: %s", number, q.list[i].text))
}

// inShards is what n shards report a capture, and their Summary.
func inShards(t *testing.T, n int, frames frames) (told []string, sum dissect.Summary) {
	t.Helper()
	s := dissect.NewShards(n, dissect.Options{Units: true}, func(d *dissect.Dissector) dissect.Part {
		return &eventRecord{d: d, told: &told}
	})
	faults, err := s.Run(&source{frames}, func(bool) error { return nil })
	if err != nil || len(faults) > 0 {
		t.Fatalf("%d shards: %v, faults %v", n, err, faults)
	}
	s.Flush()
	return told, s.Summary()
}

// inOne is what a Dissector for itself tells.
func inOne(frames frames) (told []string, sum dissect.Summary) {
	b := &eventRecord{told: &told}
	b.d = dissect.New(b, dissect.Options{Units: true, Accesses: b})
	for i := range frames {
		b.d.Frame(&frames[i])
	}
	b.d.Flush()
	q := b.Flush()
	for i := range q.Len() {
		q.Emit(i)
	}
	return told, b.d.Summary()
}

// TestShardsTellTheSame holds several numbers of shards against one Dissector: they tell
// the same, in the same order, of all samples and of damaged variants of them.
func TestShardsTellTheSame(t *testing.T) {
	paths, err := filepath.Glob("../samples/*.pcap.zst")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".pcap.zst")
		if !slices.Contains(long.Pick([]string{"rxe-perftest", "siw-perftest", "rxe-cb"}, []string{name}), name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			file, err := capture.Open(path, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			whole, err := damage.Record(file)
			if err != nil {
				t.Fatal(err)
			}
			emitTheSame(t, "whole", asRead(whole, whole.Frames), 1, 2, 3, 8, 16)
			for _, v := range damage.Variants() {
				emitTheSame(t, v.Name, asRead(whole, v.Of(whole, damage.Random(name, v.Name, 1))), long.Pick([]int{3}, []int{1, 2, 3, 8, 16})...)
			}
		})
	}
}

// asRead are frames as a reader gives them.
func asRead(c *damage.Capture, list build.Frames) (all frames) {
	for i, f := range list {
		all = append(all, capture.Frame{
			Number: int64(i + 1), Time: f.Time.UnixNano(), Link: c.Link, Length: int32(f.Length), Data: f.Data,
		})
	}
	return all
}

func emitTheSame(t *testing.T, variant string, frames frames, counts ...int) {
	t.Helper()
	want, wantSum := inOne(frames)
	for _, n := range counts {
		got, sum := inShards(t, n, frames)
		if sum != wantSum {
			t.Errorf("%s: %d shards count %+v, want %+v", variant, n, sum, wantSum)
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("%s: %d shards tell, as the %d-th of %d,\n%s\nwant, of %d,\n%s", variant, n, i+1, len(got), at(got, i), len(want), at(want, i))
				break
			}
		}
	}
}

func at(list []string, i int) string {
	if i >= len(list) {
		return "nothing"
	}
	return list[i]
}
