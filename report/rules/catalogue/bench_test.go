package catalogue_test

import (
	"runtime/debug"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// BenchmarkCheck dissects real captures that lie in memory, arguments and results
// decoded, without rules and with all of them by turns, so that what disturbs the
// machine disturbs both. Its last figure is what the rules cost as a share of the
// decoding.
func BenchmarkCheck(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as cmd/rdmacap has it
	all := catalogue.All()
	for _, name := range []string{"rxe-basic", "siw-basic", "rxe-perftest"} {
		list := ruletest.Sample(b, "../../../samples/"+name+".pcap.zst")
		b.Run(name, func(b *testing.B) {
			bindings := bindingsOf(b, all)
			run(list, bindings, nil) // parses the texts
			var plain, checked time.Duration
			for b.Loop() {
				began := time.Now()
				run(list, bindings, nil)
				middle := time.Now()
				run(list, bindings, all)
				plain += middle.Sub(began)
				checked += time.Since(middle)
			}
			perFrame := func(d time.Duration) float64 {
				return float64(d.Nanoseconds()) / float64(b.N) / float64(len(list))
			}
			b.ReportMetric(perFrame(plain), "ns/frame-decoded")
			b.ReportMetric(perFrame(checked), "ns/frame-checked")
			b.ReportMetric(float64(checked-plain)/float64(plain), "rules/decoding")
		})
	}
}

// decoder walks all arguments and results, as most rules need them.
type decoder struct{ bytes int }

func (d *decoder) Connection(*dissect.Connection, bool) {}
func (d *decoder) Frame(*dissect.FrameView)             {}
func (d *decoder) Message(*dissect.Message)             {}
func (d *decoder) RPC(r *dissect.RPC) {
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m == nil {
			continue
		}
		if body := m.Body(); body != nil {
			d.bytes += len(body.Bytes)
		}
	}
}

func run(list []capture.Frame, bindings *dissect.Bindings, all []*rules.Rule) {
	options := dissect.Options{Bindings: bindings, Units: true}
	var sink dissect.Sink = new(decoder)
	k := rules.NewChecker(all, rules.DefaultConfig(), func(*dissect.Connection, []*finding.Finding) {})
	if all != nil {
		sink, options.Accesses = k, k
	}
	d := dissect.New(sink, options)
	for i := range list {
		d.Frame(&list[i])
	}
	k.Over()
	d.Flush()
	k.Finish()
}
