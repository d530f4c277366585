package rows

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// levels are those that rows have.
var levels = map[string]listing.Level{"rpc": listing.LevelRPC, "message": listing.LevelMessage, "frame": listing.LevelFrame}

// TestRowsFit holds that on a terminal of any width no row is wider than it, and that what
// matters most is there from 80 columns on.
func TestRowsFit(t *testing.T) {
	most := map[string]string{"rpc": "0x58671161  NFS4 NULL", "message": "0x58671161  RDMA_MSG", "frame": "RC SEND Only"}
	for name, level := range levels {
		for _, width := range []int{60, 80, 100, 120, 140, 160, 200, 250} {
			for _, timeOfDay := range []bool{false, true} {
				var out bytes.Buffer
				text := NewText(&out, listing.Options{Level: level, Files: 1, Color: true, Width: width, TimeOfDay: timeOfDay})
				d := dissectSample(t, "rxe-cb", text)
				if err := text.Finish(d.Summary(), 0); err != nil {
					t.Fatal(err)
				}
				rows, shown := 0, false
				for line := range strings.Lines(string(lines.WithoutEscapes(out.Bytes()))) {
					line = strings.TrimSuffix(line, "\n")
					if n := words.Columns(line); n > width {
						t.Errorf("%s, %d columns: a line of %d: %q", name, width, n, line)
					}
					shown = shown || strings.Contains(line, most[name])
					rows++
				}
				if rows < 40 || width >= 80 && !shown {
					t.Errorf("%s, %d columns: %d rows, one with %q: %v", name, width, rows, most[name], shown)
				}
			}
		}
	}
}

// TestWiderShowsMore holds that a wider terminal shows all columns that a narrower one does, and
// that where nobody looks there are all.
func TestWiderShowsMore(t *testing.T) {
	for name, level := range levels {
		had := []string(nil)
		for width := 40; width <= 300; width++ {
			var has []string
			for _, h := range layOut(&listing.Options{Level: level, Files: 1, Width: width}).heads {
				has = append(has, h.name)
			}
			for _, column := range had {
				if !slices.Contains(has, column) && (column != "to" || !slices.Contains(has, "peers")) {
					t.Errorf("%s: %d columns have no %s, which fewer have", name, width, column)
				}
			}
			had = has
		}
		piped := layOut(&listing.Options{Level: level, Files: 1}).heads
		if len(piped) < len(had) {
			t.Errorf("%s: %d columns in a pipe, %d on a wide terminal", name, len(piped), len(had))
		}
	}
}
