package metrics

import (
	"io"
	"maps"
	"path/filepath"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestPartsCountTheSame holds that the figures are the same where several workers follow the
// connections.
func TestPartsCountTheSame(t *testing.T) {
	for _, name := range long.Pick([]string{"rxe-cb", "siw-cb", "version2-roce"}, samples(t)) {
		m, live := watching(io.Discard, Options{})
		play(t, name, live, nil)
		want := series(t, m)
		m, live = watching(io.Discard, Options{})
		if !live.Shardable() {
			t.Fatal("it has no parts")
		}
		f, err := capture.Open(filepath.Join("..", "..", "samples", name+".pcap.zst"), 0)
		if err != nil {
			t.Fatal(err)
		}
		s := dissect.NewShards(3, dissect.Options{Units: true}, live.Part)
		live.PauseBy(s.Pause)
		if faults, err := s.Run(f, func(bool) error { return nil }); err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
		f.Close()
		live.Over(nil)
		s.Flush()
		if err := live.Finish(s.Summary(), 0); err != nil {
			t.Fatal(err)
		}
		if got := series(t, m); !maps.Equal(got, want) {
			for key, n := range want {
				if got[key] != n {
					t.Errorf("%s: %s is %v, want %v", name, key, got[key], n)
				}
			}
			t.Errorf("%s: %d series, want %d", name, len(got), len(want))
		}
	}
}
