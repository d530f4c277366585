package watch

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// shown is what a Watch shows of a source in the end, on a number of workers; without any, on
// the goroutine that reads. While they work somebody looks.
func shown(t *testing.T, source capture.Source, workers int, o Options) (list []Snapshot) {
	t.Helper()
	w := New(o)
	all := catalogue.All()
	c := check.New(findings.NewLiveSummary(io.Discard, listing.Options{Names: []string{"x"}, Files: 1}), check.Options{
		Rules: all, Config: rules.DefaultConfig(), Files: 1, Views: []check.View{w.View()},
	})
	bindings := new(dissect.Bindings)
	if err := bindings.Ask(rules.Fields(all)...); err != nil {
		t.Fatal(err)
	}
	opts := dissect.Options{Bindings: bindings, Accesses: c, Units: true}
	var d interface {
		Run(source capture.Source, after func(waiting bool) error) (faults []error, err error)
		Flush()
		Summary() dissect.Summary
	}
	if workers == 0 {
		d = dissect.New(c, opts)
	} else {
		if !c.Shardable() {
			t.Fatal("it has no parts")
		}
		s := dissect.NewShards(workers, opts, c.Part)
		c.PauseBy(s.Pause)
		d = s
	}
	wall := time.Unix(2e9, 0)
	var looking sync.WaitGroup
	look := make(chan int)
	looking.Go(func() {
		var s Snapshot
		for id := range look {
			w.Snapshot(&s, wall, id)
		}
	})
	looks := 0
	_, err := d.Run(source, func(bool) error {
		c.Dropped(finding.Drops{Ring: 1}, 0)
		if looks++; looks < 100 { // while the next is at work
			look <- 1 + looks%3
		}
		return nil
	})
	close(look)
	if err != nil {
		t.Fatal(err)
	}
	c.Over(nil)
	d.Flush()
	if err := c.Finish(d.Summary(), 0); err != nil {
		t.Fatal(err)
	}
	w.Over()
	looking.Wait()
	list = append(list, Snapshot{})
	w.Snapshot(&list[0], wall, 0)
	for _, r := range list[0].Rows {
		var s Snapshot
		w.Snapshot(&s, wall, r.ID)
		list = append(list, s)
	}
	return list
}

// compare holds that a Watch shows the same on any number of workers.
func compare(t *testing.T, name string, o Options, open func() capture.Source) (want []Snapshot) {
	t.Helper()
	want = shown(t, open(), 0, o)
	for _, workers := range []int{1, 3} {
		got := shown(t, open(), workers, o)
		if len(got) != len(want) {
			t.Errorf("%s: %d workers show %d connections, want %d", name, workers, len(got)-1, len(want)-1)
			continue
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("%s: %d workers show, of connection %d:\n%+v\nwant\n%+v", name, workers, want[i].Detail.Row.ID, got[i], want[i])
				break
			}
		}
	}
	return want
}

// TestPartsShowTheSame holds that of samples.
func TestPartsShowTheSame(t *testing.T) {
	paths, err := filepath.Glob("../../samples/*.pcap.zst")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d samples, %v", len(paths), err)
	}
	several := 0
	for _, path := range long.Pick([]string{"rxe-cb", "siw-cb", "rxe-loss", "version2-roce", "siw-perftest"}, paths) {
		path = "../../samples/" + strings.TrimSuffix(filepath.Base(path), ".pcap.zst") + ".pcap.zst"
		want := compare(t, path, Options{}, func() capture.Source {
			f, err := capture.Open(path, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			return f
		})
		if s := &want[0]; s.Frames == 0 || s.Drops.Ring != 1 {
			t.Errorf("%s: %+v", path, s)
		} else if len(s.Rows) > 2 && len(s.Latest) > 2 {
			several++
		}
	}
	if several == 0 {
		t.Error("no sample has several connections and findings")
	}
}

// replies is a Filter that every goroutine may have one of.
type replies struct{ some }

func (replies) RPC(r *dissect.RPC) bool   { return r.XID%2 == 0 }
func (f replies) Another() listing.Filter { return f }

// TestPartsHaveTheSameRoom has more connections than there is room for, and some RPCs that are
// not looked for: which are listed is the same.
func TestPartsHaveTheSameRoom(t *testing.T) {
	const more = 30
	p := new(scene.Scene)
	for _, from := range []int{0, 200} { // a text has so many connections, and more no room
		to := min(from+200, mostRows+more)
		var text strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&text, "connect C%d clientaddr=192.0.%d.%d clientqpn=%d serverqpn=%d commid=%d\ncall %d NFS3 GETATTR\nreply %d\n", i, 2+i/100, 2+i%100, 1000+i, 9000+i, 1+i, i, i)
			if i%9 == 0 {
				text.WriteString("disconnect\n")
			}
		}
		for i := to - more; i < to; i++ {
			if i%9 != 0 {
				fmt.Fprintf(&text, "on C%d\ncall %d NFS3 GETATTR\nreply %d\n", i, 2*i, 2*i)
			}
		}
		played, err := scene.Play(text.String(), scene.RoCE)
		if err != nil {
			t.Fatal(err)
		}
		p.Frames = append(p.Frames, played.Frames...)
	}
	open := func() capture.Source {
		s, err := p.Source()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := compare(t, "all", Options{}, open)
	if s := &want[0]; len(s.Rows) != mostRows || s.Connections != mostRows+more || s.Rows[0].ID == 1 {
		t.Errorf("%d rows of %d connections, from %d", len(s.Rows), s.Connections, s.Rows[0].ID)
	}
	if some := compare(t, "half", Options{Filter: replies{}}, open); len(some) >= len(want) || len(some) < len(want)/3 {
		t.Errorf("%d rows have what is looked for", len(some)-1)
	}
}

// TestNumbersNeedOneWorker holds that a Filter that asks for numbers has no parts.
func TestNumbersNeedOneWorker(t *testing.T) {
	if v := New(Options{Filter: some(1)}).View(); v.Notes != nil {
		t.Error("it has parts")
	}
}

// TestPartAllocatesNothing holds that of frames, in batches, once there was one.
func TestPartAllocatesNothing(t *testing.T) {
	w := New(Options{})
	p := w.part()
	c := connections(1)[0]
	p.Connection(c, false)
	f := &flow.Frame{}
	f.Length, f.Time = 1000, 1e18
	v := &dissect.FrameView{Frame: f, Connection: c}
	note := func() {
		for range 100 {
			f.Time += 1e6
			p.Frame(v)
		}
		kept, b := p.Kept(), p.Flush()
		for i := range kept {
			b.Emit(i)
		}
		b.Done()
	}
	note()
	if n := allocs.Per(100, note); n != 0 {
		t.Errorf("%v allocations for a batch of 100 frames", n)
	}
	var s Snapshot
	if w.Snapshot(&s, time.Now(), 0); s.Frames < 1000 || s.Frames%100 != 0 {
		t.Errorf("%d frames", s.Frames)
	}
}
