package watch

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// A both receives all, and counts apart what a Watch is to have.
type both struct {
	*check.Check
	counted map[int]*stats.Connection
	*stats.Gatherer
}

func (b *both) Connection(c *dissect.Connection, final bool) {
	b.Check.Connection(c, final)
	b.Gatherer.Connection(c, final)
}
func (b *both) Frame(v *dissect.FrameView)   { b.Check.Frame(v) }
func (b *both) Message(m *dissect.Message)   { b.Check.Message(m); b.Gatherer.Message(m) }
func (b *both) RPC(r *dissect.RPC)           { b.Check.RPC(r); b.Gatherer.RPC(r) }
func (b *both) Fresh(f *finding.Finding)     {}
func (b *both) Dropped(finding.Drops, int64) {}

// watched reads a sample with a Watch, and returns what it came to.
func watched(t *testing.T, name string, w *Watch) (*both, dissect.Summary) {
	t.Helper()
	file, err := capture.Open("../../samples/"+name+".pcap.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list := catalogue.All()
	b := &both{counted: make(map[int]*stats.Connection)}
	b.Check = check.New(findings.NewLiveSummary(io.Discard, listing.Options{Names: []string{name}}), check.Options{
		Rules: list, Views: []check.View{w.View()},
	})
	b.Gatherer = stats.New(func(c *dissect.Connection, s *stats.Connection) { b.counted[c.ID] = s })
	d := dissect.New(b, dissect.Options{Accesses: b.Check, Units: true})
	var s Snapshot
	faults, err := d.Run(file, func(bool) error {
		w.Snapshot(&s, time.Now(), 1) // somebody looks now and then
		return nil
	})
	if err != nil || faults != nil {
		t.Fatal(err, faults)
	}
	b.Check.Over(nil)
	d.Flush()
	if err := b.Check.Finish(d.Summary(), 0); err != nil {
		t.Fatal(err)
	}
	w.Over()
	return b, d.Summary()
}

// TestAgrees holds what is shown of samples against what stats and the summary say of them.
func TestAgrees(t *testing.T) {
	for _, name := range long.Pick([]string{"rxe-cb", "siw-cb", "version2-roce"}, []string{"rxe-cb", "siw-cb", "version2-roce", "rxe-loss", "siw-loss", "rxe-basic", "siw-basic", "rxe-acl"}) {
		w := New(Options{})
		b, sum := watched(t, name, w)
		var s Snapshot
		for id, want := range b.counted {
			w.Snapshot(&s, time.Now(), id)
			d := &s.Detail
			if !d.Found || d.Row.RPCs != want.RPCs || len(d.Operations) != want.Table.Len() {
				t.Errorf("%s: connection %d has %d RPCs of %d operations, want %d of %d", name, id, d.Row.RPCs, len(d.Operations), want.RPCs, want.Table.Len())
				continue
			}
			for i, o := range want.Table.Rows() {
				if got := d.Operations[i]; got != operation(o) {
					t.Errorf("%s: connection %d: %+v, want %+v", name, id, got, operation(o))
				}
			}
			if n := int(min(want.RPCs, mostRPCs)); len(d.RPCs) != n {
				t.Errorf("%s: connection %d lists %d RPCs, want %d", name, id, len(d.RPCs), n)
			}
			granted := &want.Calls
			if r := &d.Row; r.HasGranted && r.Granted != granted[0].Granted.Last && r.Granted != granted[1].Granted.Last {
				t.Errorf("%s: connection %d was granted %d, want %v", name, id, r.Granted, granted)
			}
		}
		if len(s.Rows) != len(b.counted) || s.Connections != int(sum.Connections) || s.RPCs != sum.RPCs || s.Frames != sum.Frames || s.Bytes != sum.Bytes {
			t.Errorf("%s: %d rows, %d connections, %d RPCs, %d frames of %d bytes, want %+v", name, len(s.Rows), s.Connections, s.RPCs, s.Frames, s.Bytes, sum)
		}
		if want := (Losses{sum.Retransmissions, sum.LostOnWire, sum.LostInCapture}); s.Losses != want {
			t.Errorf("%s: %+v, want %+v", name, s.Losses, want)
		}
		if s.Findings != b.Tally() {
			t.Errorf("%s: %v, want %v", name, s.Findings, b.Tally())
		}
		if s.Began != sum.First || s.Time != sum.Last || !s.Over {
			t.Errorf("%s: from %d to %d, want %d to %d", name, s.Began, s.Time, sum.First, sum.Last)
		}
	}
}

// connections are some that nobody told anything about.
func connections(n int) (list []*dissect.Connection) {
	for i := range n {
		list = append(list, &dissect.Connection{Conn: &flow.Conn{ID: i + 1}})
	}
	return list
}

// TestBounded has more connections than are listed: those that are over go first, what they
// came to is counted, and one for which there was no room gets a row when there is.
func TestBounded(t *testing.T) {
	w := New(Options{})
	list := connections(mostRows + 20)
	for _, c := range list {
		c.Retransmissions = 1
		w.Connection(c, false)
	}
	var s Snapshot
	w.Snapshot(&s, time.Now(), 0)
	if len(s.Rows) != mostRows || s.Unlisted != 20 || s.Dropped != 0 || s.Connections != len(list) || s.Retransmissions != mostRows {
		t.Errorf("%d rows, %d unlisted, %d connections, %+v", len(s.Rows), s.Unlisted, s.Connections, s.Losses)
	}
	for _, c := range list[:30] {
		c.Closing = flow.Disconnected
		w.Connection(c, true)
	}
	late := list[len(list)-1]
	w.Message(&dissect.Message{Connection: late})
	more := connections(10)
	for _, c := range more {
		c.ID += 1000
		w.Connection(c, false)
	}
	w.Snapshot(&s, time.Now(), 0)
	if len(s.Rows) != mostRows || s.Unlisted != 19 || s.Dropped != 11 || s.Ended != 30 || s.Rows[0].ID != 12 || s.Rows[mostRows-11].ID != late.ID {
		t.Errorf("%d rows from %d, %d unlisted, %d dropped, %d ended", len(s.Rows), s.Rows[0].ID, s.Unlisted, s.Dropped, s.Ended)
	}
	for _, c := range list[30:] {
		c.Closing = flow.Reset
		w.Connection(c, true)
	}
	wall := time.Now()
	w.Snapshot(&s, wall, 0)
	w.Snapshot(&s, wall.Add(2*linger), 0)
	if len(s.Rows) != len(more) || s.Unlisted != 0 || s.Dropped != len(list) || s.Ended != len(list) || s.Retransmissions != int64(len(list)) {
		t.Errorf("%d rows, %d unlisted, %d dropped, %d ended, %+v", len(s.Rows), s.Unlisted, s.Dropped, s.Ended, s.Losses)
	}
	if len(w.open) != len(more) || w.ended != 0 || w.kept != 0 {
		t.Errorf("it has %d open, %d ended, %d operations", len(w.open), w.ended, w.kept)
	}
}

// some is a Filter that chooses the RPCs of a connection.
type some int

func (s some) Frame(*dissect.FrameView) bool { return false }
func (s some) Message(*dissect.Message) bool { return false }
func (s some) RPC(r *dissect.RPC) bool       { return r.Connection.ID == int(s) }
func (s some) Another() listing.Filter       { return nil }

// TestFilter holds that only what is looked for is listed, and all is counted.
func TestFilter(t *testing.T) {
	w := New(Options{Filter: some(2)})
	_, sum := watched(t, "rxe-cb", w)
	var s Snapshot
	w.Snapshot(&s, time.Now(), 1)
	if len(s.Rows) != 1 || s.Rows[0].ID != 2 || s.Detail.Found || s.RPCs != sum.RPCs || s.Connections < 2 {
		t.Errorf("%d rows, %d RPCs of %d, %d connections", len(s.Rows), s.RPCs, sum.RPCs, s.Connections)
	}
}

// TestNothingAllocated holds that of frames.
func TestNothingAllocated(t *testing.T) {
	w := New(Options{})
	c := connections(1)[0]
	w.Connection(c, false)
	f := &flow.Frame{}
	f.Length, f.Time = 1000, 1e18
	v := &dissect.FrameView{Frame: f, Connection: c}
	if n := allocs.Per(1000, func() {
		f.Time += 1e6
		w.Frame(v)
	}); n != 0 {
		t.Errorf("%v allocations for a frame", n)
	}
}

// TestLongText holds that what strangers write is cut at a character and does nothing to a
// terminal.
func TestLongText(t *testing.T) {
	var x Finding
	x.setFinding(&finding.Finding{Rule: &finding.Rule{ID: "DDP-001"}, Severity: finding.Error, Message: "\x1b[2J" + strings.Repeat("é", 400)})
	if !strings.HasPrefix(x.Message, `\x1b[2Jéé`) || !strings.HasSuffix(x.Message, "éé…") || len(x.Message) > mostText+16 {
		t.Errorf("%d bytes: %q", len(x.Message), x.Message)
	}
}
