package metrics

import (
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// FuzzMetrics counts captures that strangers changed. Prometheus's own parser reads the text,
// which has no series twice and as much of everything as the dissection counts, and neither it
// nor the page has a control character or anything that a browser would run.
func FuzzMetrics(f *testing.F) {
	var samples [][]capture.Frame
	for _, name := range []string{"rxe-cb", "siw-cb"} {
		list := ruletest.Sample(f, "../../samples/"+name+".pcap.zst")
		samples = append(samples, list[:min(len(list), 200)])
	}
	for i := range samples {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), damage.Lose(30))
		f.Add(byte(i), damage.Change(50, 120, 0x1b))
	}
	f.Fuzz(func(t *testing.T, which byte, edits []byte) {
		if len(edits) > 512 {
			return
		}
		list := damage.Edit(samples[int(which)%len(samples)], edits)
		m, live := watching(io.Discard, Options{Interfaces: []string{"mirror0"}})
		m.Began()
		left := list
		sum := feed(t, live, func(x *capture.Frame) error {
			if len(left) == 0 {
				return io.EOF
			}
			*x, left = left[0], left[1:]
			return nil
		})
		got := series(t, m)
		for key, want := range map[string]int64{"frames_total": sum.Frames, "malformed_frames_total": sum.MalformedFrames, "connections_total": sum.Connections, "open_connections": 0} {
			if v, ok := got[key]; !ok || v != float64(want) {
				t.Errorf("%s is %v, want %d", key, v, want)
			}
		}
		for prefix, want := range map[string]int64{"messages_total{": sum.Messages, "rpcs_total{": sum.RPCs, "incomplete_rpcs_total{": sum.IncompleteRPCs} {
			if v := total(got, prefix); v != float64(want) {
				t.Errorf("%s…} are %v together, want %d", prefix, v, want)
			}
		}
		for key, v := range got {
			if v < 0 {
				t.Errorf("%s is %v", key, v)
			}
		}
		for _, path := range []string{"/metrics", "/"} {
			a := ask(t, m.Handler(), "GET", path)
			strange := func(c rune) bool { return c != '\n' && c != '\t' && unicode.IsControl(c) }
			i := strings.IndexFunc(a.body, strange)
			if i >= 0 || a.status != 200 || !utf8.ValidString(a.body) || strings.Contains(a.body, "<script") && path == "/" {
				t.Errorf("%s, status %d: a control character at %d, or what is no text", path, a.status, i)
			}
		}
	})
}
