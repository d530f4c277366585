// Package bench measures what the commands cost.
//
//	compare         check, report and read beside tshark, each as a whole process
//	stages_test.go  where check spends its time, on one thread
package bench

import (
	"bytes"
	"errors"
	"io"
	"runtime/debug"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/cputime"
	"github.com/rdmacap/rdmacap/internal/shipped"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// repeats is how often a sample stands in the capture that is measured, as in
// bench/compare: what is done once a run weighs little then.
const repeats = 20

// BenchmarkStages runs the stages of check on one thread over captures that lie
// in memory. Each stage does all that those before it do, and all run in turn
// within an iteration, so that what disturbs the machine disturbs them alike.
// The figures are nanoseconds of processor time a frame, collecting garbage
// included, of the best iteration: what each stage adds, and the total.
//
//	go test -run '^$' -bench Stages -count 6 ./bench
func BenchmarkStages(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as cmd/rdmacap begins
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		b.Run(name, func(b *testing.B) {
			file := repeated(b, name)
			s := newStages(b)
			list := []struct {
				name string
				run  func(file []byte) (frames int64)
			}{
				{"reading", s.read},
				{"following", s.follow},
				{"bodies", s.bodies},
				{"rules", s.rules},
				{"text", s.text},
			}
			least := make([]float64, len(list))
			for b.Loop() {
				for i, stage := range list {
					began := cputime.Used(b).Nanoseconds()
					frames := stage.run(file)
					spent := float64(cputime.Used(b).Nanoseconds()-began) / float64(frames)
					if least[i] == 0 || spent < least[i] {
						least[i] = spent
					}
				}
			}
			before := 0.0
			for i, stage := range list {
				b.ReportMetric(least[i]-before, "ns/frame-"+stage.name)
				if before = least[i]; stage.name == "rules" {
					b.ReportMetric(before, "ns/frame-until-rules")
				}
			}
			b.ReportMetric(before, "ns/frame-check")
			b.ReportMetric(0, "ns/op") // of all stages together, which says nothing
		})
	}
}

// repeated is a sample as a pcap file whose records come again and again.
func repeated(b *testing.B, name string) []byte {
	const header = 24 // bytes of a pcap file's header
	one := shipped.Whole(b, name)
	file := append(make([]byte, 0, header+repeats*(len(one)-header)), one[:header]...)
	for range repeats {
		file = append(file, one[header:]...)
	}
	return file
}

// stages are the stages of check, with what they share.
type stages struct {
	b        *testing.B
	catalog  []*rules.Rule
	bindings *dissect.Bindings
}

func newStages(b *testing.B) *stages {
	bindings, err := dissect.NewBindings()
	if err != nil {
		b.Fatal(err)
	}
	s := &stages{b: b, catalog: catalogue.All(), bindings: bindings}
	if err := bindings.Ask(rules.Fields(s.catalog)...); err != nil {
		b.Fatal(err)
	}
	return s
}

// frames hands the frames of a file to do, one after the other.
func (s *stages) frames(file []byte, do func(f *capture.Frame)) (n int64) {
	r, err := capture.NewReader(bytes.NewReader(file), "memory", 0)
	if err != nil {
		s.b.Fatal(err)
	}
	var f capture.Frame
	for ; ; n++ {
		if err := r.Next(&f); errors.Is(err, io.EOF) {
			return n
		} else if err != nil {
			s.b.Fatal(err)
		}
		do(&f)
	}
}

// read reads the file and looks at nothing.
func (s *stages) read(file []byte) int64 { return s.frames(file, func(*capture.Frame) {}) }

// nobody takes what a Dissector finds and drops it.
type nobody struct{ rpcs int64 }

func (*nobody) Connection(*dissect.Connection, bool) {}
func (*nobody) Frame(*dissect.FrameView)             {}
func (*nobody) Message(*dissect.Message)             {}
func (n *nobody) RPC(*dissect.RPC)                   { n.rpcs++ }

// follow decodes headers, follows connections and puts RPCs together.
func (s *stages) follow(file []byte) int64 {
	sink := new(nobody)
	return s.dissect(file, sink, nil, &sink.rpcs)
}

// walker has arguments and results walked as well, as most rules need them.
type walker struct {
	nobody
	bytes int
}

func (w *walker) RPC(r *dissect.RPC) {
	w.rpcs++
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m == nil {
			continue
		}
		if body := m.Body(); body != nil {
			w.bytes += len(body.Bytes)
		}
	}
}

func (s *stages) bodies(file []byte) int64 {
	sink := new(walker)
	return s.dissect(file, sink, nil, &sink.rpcs)
}

// rules asks all rules and drops what they find.
func (s *stages) rules(file []byte) int64 {
	found := int64(0)
	k := rules.NewChecker(s.catalog, rules.DefaultConfig(), func(_ *dissect.Connection, list []*finding.Finding) { found += int64(len(list)) })
	n := s.dissect(file, k, k, nil, k.Over)
	k.Finish()
	if found == 0 {
		s.b.Fatal("the rules found nothing")
	}
	return n
}

// text words the findings, as check does.
func (s *stages) text(file []byte) int64 {
	form := findings.New(io.Discard, listing.Options{Quiet: true, Names: []string{"memory"}, Files: 1}, finding.Error)
	out := check.New(form, check.Options{Rules: s.catalog, Config: rules.DefaultConfig(), Files: 1})
	n := s.dissect(file, out, out, nil, func() { out.Over(nil) })
	if err := out.Finish(dissect.Summary{}, 0); err != nil {
		s.b.Fatal(err)
	}
	return n
}

// dissect runs the file through a Dissector; over is called when it has no more
// frames. If rpcs is not nil, there must be some in the end.
func (s *stages) dissect(file []byte, sink dissect.Sink, accesses dissect.AccessSink, rpcs *int64, over ...func()) int64 {
	d := dissect.New(sink, dissect.Options{Bindings: s.bindings, Units: true, Accesses: accesses})
	n := s.frames(file, d.Frame)
	for _, do := range over {
		do()
	}
	d.Flush()
	if rpcs != nil && *rpcs == 0 {
		s.b.Fatal("no RPC was found")
	}
	return n
}
