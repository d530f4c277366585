package catalogue_test

import (
	"runtime/debug"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// A crowd are many connections that are open at once, of 60 frames each, one frame
// of each after the other: the setup, 13 GETATTR and a READ.
type crowd struct {
	conns, clients int
	// late says that the capture begins after the setup.
	late bool
}

// run hands over the frames, one turn of the connections after the other.
func (w crowd) run(take func(turn build.Frames)) {
	m := build.NewMany(w.conns, w.clients, build.Setup{Step: 100 * time.Nanosecond})
	// No more than some hundred at a time: of more that nobody has answered yet none is kept.
	m.Waves(500, func(_ int, c *build.Conversation) { c.Connect() }, func(turn build.Frames) {
		if !w.late {
			take(turn)
		}
	})
	handle, data := []byte("a file handle"), make([]byte, 500)
	asked := make([]*build.Exchange, w.conns)
	for round := range 14 {
		xid := func(i int) uint32 { return uint32(i)*0x10001 + uint32(round)*0x1000003 }
		take(m.Turn(func(i int, c *build.Conversation) {
			if round == 7 {
				asked[i] = c.Call(build.NFS3Read(xid(i), handle, 0, 500), build.WriteChunk{{Handle: uint32(i), Length: 500, Offset: 0x1000}})
			} else {
				asked[i] = c.Call(build.NFS3GetAttr(xid(i), handle))
			}
		}))
		take(m.Turn(func(i int, c *build.Conversation) {
			if round == 7 {
				c.Reply(asked[i], build.NFS3ReadReply(xid(i), data))
			} else {
				c.Reply(asked[i], build.NFS3GetAttrReply(xid(i), 3000))
			}
		}))
	}
}

// A checked crowd is what check, or the dissector alone, makes of it.
type checked struct {
	decoder
	dissector *dissect.Dissector
	checker   *rules.Checker
	setups    map[flow.Setup]int
	oneWay    int
	findings  int
	frames    int64
	took      time.Duration
	frame     capture.Frame
}

// newChecked checks with these rules, or only dissects if there are none.
func newChecked(t testing.TB, all []*rules.Rule) *checked {
	bindings := bindingsOf(t, all)
	k := &checked{setups: make(map[flow.Setup]int)}
	k.checker = rules.NewChecker(all, rules.DefaultConfig(), func(c *dissect.Connection, findings []*finding.Finding) {
		k.findings += len(findings)
		if c != nil {
			k.count(c)
		}
	})
	options := dissect.Options{Bindings: bindings, Units: true}
	if all == nil {
		k.dissector = dissect.New(k, options)
	} else {
		options.Accesses = k.checker
		k.dissector = dissect.New(k.checker, options)
	}
	return k
}

// Connection counts those that are over.
func (k *checked) Connection(c *dissect.Connection, final bool) {
	if final {
		k.count(c)
	}
}

func (k *checked) count(c *dissect.Connection) {
	k.setups[c.Setup]++
	if c.OneWay() {
		k.oneWay++
	}
}

// take takes the frames of a turn, and the time for it.
func (k *checked) take(turn build.Frames) {
	began := time.Now()
	for i := range turn {
		f := &turn[i]
		k.frames++
		k.frame = capture.Frame{Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length), Time: f.Time.UnixNano(), Number: k.frames}
		k.dissector.Frame(&k.frame)
	}
	k.took += time.Since(began)
}

func (k *checked) end() {
	began := time.Now()
	k.checker.Over()
	k.dissector.Flush()
	k.checker.Finish()
	k.took += time.Since(began)
}

// Each connection of a crowd is one connection with both directions, whether its
// setup was captured or not, and none is accused of anything that a single one is
// not.
func TestCrowd(t *testing.T) {
	t.Parallel()
	all := catalogue.All()
	for _, late := range []bool{false, true} {
		one := newChecked(t, all)
		crowd{conns: 1, clients: 1, late: late}.run(one.take)
		one.end()
		for _, w := range []crowd{{conns: 300, clients: 20, late: late}, {conns: 300, clients: 1, late: late}} {
			k := newChecked(t, all)
			w.run(k.take)
			k.end()
			want := flow.SetupCM
			if late {
				want = flow.SetupInferred
			}
			s := k.dissector.Summary()
			if len(k.setups) != 1 || k.setups[want] != w.conns || k.oneWay != 0 {
				t.Errorf("%+v: connections by setup: %v, one-way: %d", w, k.setups, k.oneWay)
			}
			if s.RPCs != int64(w.conns)*14 || s.IncompleteRPCs != 0 || s.NotRDMAFrames != 0 {
				t.Errorf("%+v: %+v", w, s)
			}
			if k.findings != w.conns*one.findings {
				t.Errorf("%+v: %d findings, and %d of a single connection", w, k.findings, one.findings)
			}
		}
	}
}

// BenchmarkCrowd checks many connections that are open at once: 10,000 of 100
// clients, and 4,000 queue pairs between two hosts, captured from the middle. It
// reports how many connections were counted, and what is held for each while all of
// them are open.
func BenchmarkCrowd(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as cmd/rdmacap begins
	all := catalogue.All()
	for _, test := range []struct {
		name  string
		rules []*rules.Rule
		crowd crowd
	}{
		{"10000 set up/dissected", nil, crowd{conns: 10_000, clients: 100}},
		{"10000 set up/checked", all, crowd{conns: 10_000, clients: 100}},
		{"4000 from the middle/dissected", nil, crowd{conns: 4_000, clients: 1, late: true}},
		{"4000 from the middle/checked", all, crowd{conns: 4_000, clients: 1, late: true}},
	} {
		b.Run(test.name, func(b *testing.B) {
			var took time.Duration
			var frames, held int64
			var last *checked
			for b.Loop() {
				k := newChecked(b, test.rules)
				before := heap()
				test.crowd.run(k.take)
				held += heap() - before // the makers of the frames are gone
				k.end()
				took += k.took
				frames += k.frames
				last = k
			}
			if n := last.dissector.Summary().IncompleteRPCs; n > 0 {
				b.Fatalf("%d RPCs are incomplete", n)
			}
			b.ReportMetric(0, "ns/op") // most of that is the making of frames
			b.ReportMetric(float64(took.Nanoseconds())/float64(frames), "ns/frame")
			b.ReportMetric(float64(last.dissector.Summary().Connections), "connections")
			b.ReportMetric(float64(last.oneWay), "one-way")
			b.ReportMetric(float64(held)/float64(b.N)/float64(test.crowd.conns), "B/connection")
		})
	}
}
