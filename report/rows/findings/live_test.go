package findings

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
)

// told is what a live form says of a finding, of what goes on, of a finding that no frame shows, and of dropped frames.
func told(t *testing.T, form func(io.Writer, listing.Options) draft.Form, o listing.Options) string {
	t.Helper()
	o.Names, o.Files, o.Quiet = []string{"mirror0"}, 1, true
	var out bytes.Buffer
	f := form(&out, o)
	start := time.Date(2026, 11, 21, 23, 59, 58, 500e6, time.UTC).UnixNano()
	x := &finding.Finding{
		Rule: &finding.Rule{ID: "SYM-001", Title: "Stall"}, Severity: finding.Warning, Frame: flow.Ref{Number: 783},
		Message: "there has been no progress for 1.20 s, and NFS3 CREATE 0x9b745768 is open", Time: start, Count: 1,
	}
	f.Live.NewFinding(x, 1)
	goesOn := *x
	goesOn.Ongoing, goesOn.Time, goesOn.Message = true, start+int64(1700*time.Millisecond), "the connection goes on"
	f.Live.NewFinding(&goesOn, 2)
	whole := *x
	whole.Frame, whole.Time, whole.Message = flow.Ref{}, 0, "of the whole capture"
	f.Live.NewFinding(&whole, 3)
	f.Live.Dropped(finding.Drops{Kernel: 1, Ring: 2, Shed: 3}, start+int64(time.Hour))
	if err := f.Out.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLinesHaveTheTime holds the time of day of each kind of line about a finding or about drops, and how a terminal
// that is too narrow for them has them.
func TestLinesHaveTheTime(t *testing.T) {
	for _, c := range []struct {
		name string
		o    listing.Options
		want string
	}{
		{"interface", listing.Options{TimeOfDay: true, WallClock: true}, `23:59:58.500 ── 2026-11-21, times are UTC
23:59:58.500 mirror0:783: warning: SYM-001: there has been no progress for 1.20 s, and NFS3 CREATE 0x9b745768 is open
00:00:00.200 ── 2026-11-22, times are UTC
00:00:00.200 mirror0:783: warning: SYM-001: the connection goes on
00:00:00.200 mirror0: warning: SYM-001: of the whole capture
00:59:58.500 ── 6 frames dropped so far: 1 by adapter or kernel, 2 because the ring was full, 3 not followed
`},
		{"file, 80 columns", listing.Options{TimeOfDay: true, Width: 80}, `23:59:58.500 ── 2026-11-21, times are UTC
23:59:58.500 mirror0:783: warning: SYM-001: there has been no progress for 1.20
   s, and NFS3 CREATE 0x9b745768 is open
00:00:00.200 ── 2026-11-22, times are UTC
00:00:00.200 mirror0:783: warning: SYM-001: the connection goes on
00:00:00.200 mirror0: warning: SYM-001: of the whole capture
00:00:00.200 ── 6 frames dropped so far: 1 by adapter or kernel, 2 because the
   ring was full, 3 not followed
`},
	} {
		if got := told(t, NewLive, c.o); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// TestNoTimeOfDay holds that neither --brief nor a record is another where text has the time of day.
func TestNoTimeOfDay(t *testing.T) {
	const brief = `mirror0:783: warning: SYM-001: there has been no progress for 1.20 s, and NFS3 CREATE 0x9b745768 is open
mirror0:783: warning: SYM-001: the connection goes on
mirror0: warning: SYM-001: of the whole capture
── 6 frames dropped so far: 1 by adapter or kernel, 2 because the ring was full, 3 not followed
`
	for _, width := range []int{0, 80} {
		if got := told(t, NewLive, listing.Options{Brief: true, TimeOfDay: true, Width: width}); got != brief {
			t.Errorf("brief, %d columns:\n%swant\n%s", width, got, brief)
		}
	}
	without := told(t, record.NewLive, listing.Options{})
	if got := told(t, record.NewLive, listing.Options{TimeOfDay: true, WallClock: true, Width: 80}); got != without || !bytes.HasPrefix([]byte(got), []byte(`{"type":"finding"`)) {
		t.Errorf("records:\n%swant\n%s", got, without)
	}
}
