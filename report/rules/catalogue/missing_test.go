package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// A loss makes a capture worse than it was taken.
type loss struct {
	name string
	of   func(list []capture.Frame, rnd *rand.Rand) []capture.Frame
}

func losses() []loss {
	return []loss{
		{"one frame dropped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			i := rnd.IntN(len(list))
			return slices.Delete(list, i, i+1)
		}},
		{"one in fifty dropped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			return slices.DeleteFunc(list, func(capture.Frame) bool { return rnd.IntN(50) == 0 })
		}},
		{"one in five dropped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			return slices.DeleteFunc(list, func(capture.Frame) bool { return rnd.IntN(5) == 0 })
		}},
		{"a run dropped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			i := rnd.IntN(len(list))
			return slices.Delete(list, i, min(len(list), i+1+rnd.IntN(100)))
		}},
		{"begun late", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame { return list[rnd.IntN(len(list)):] }},
		{"ended early", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame { return list[:1+rnd.IntN(len(list))] }},
		{"one direction", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			want := list[rnd.IntN(len(list))].Data[:12] // the MAC addresses
			return slices.DeleteFunc(list, func(f capture.Frame) bool { return string(f.Data[:12]) != string(want) })
		}},
		{"neighbours swapped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			for range len(list) / 20 {
				i := rnd.IntN(len(list) - 1)
				list[i], list[i+1] = list[i+1], list[i]
			}
			return list
		}},
		{"twice", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			var twice []capture.Frame
			for _, f := range list {
				twice = append(twice, f, f)
			}
			return twice
		}},
		{"snapped", func(list []capture.Frame, rnd *rand.Rand) []capture.Frame {
			n := 60 + rnd.IntN(400)
			for i := range list {
				list[i].Data = list[i].Data[:min(len(list[i].Data), n)]
			}
			return list
		}},
	}
}

// TestWhatIsMissing makes the captures of healthy peers worse: whatever is missing
// then, no error is certain. One that is only likely says that frames are missing.
func TestWhatIsMissing(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../../samples/*.pcap.zst")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	seeds := long.Pick(1, 25)
	all := catalogue.All()
	for _, path := range paths {
		whole := ruletest.Sample(t, path)
		name := strings.TrimSuffix(filepath.Base(path), ".pcap.zst")
		for _, l := range losses() {
			t.Run(name+" "+l.name, func(t *testing.T) {
				accused := make(map[string]string)
				for seed := range seeds {
					list := l.of(slices.Clone(whole), rand.New(rand.NewPCG(uint64(seed), 7)))
					for i := range list {
						list[i].Number = int64(i + 1)
					}
					for _, f := range ruletest.Check(t, all, list) {
						if f.ID() == "SYM-008" {
							continue // it says what little is left, and accuses nobody
						}
						if f.Severity == finding.Error && f.Doubt == "" && accused[f.ID()] == "" && !slices.Contains(faulty(name), f.ID()) {
							accused[f.ID()] = fmt.Sprintf("seed %d frame %d: %s", seed, f.Frame.Number, f.Message)
						}
					}
				}
				for id, what := range accused {
					t.Errorf("%s %s", id, what)
				}
			})
		}
	}
}
