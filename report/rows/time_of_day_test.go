package rows

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
)

func at(t *testing.T, text string) int64 {
	t.Helper()
	if text == "" {
		return 0
	}
	x, err := time.Parse("2006-01-02 15:04:05.000", text)
	if err != nil {
		t.Fatal(err)
	}
	return x.UnixNano()
}

// TestDateIsToldWhenItChanges holds when a line tells the date: first, and when it is another one, but not where an
// RPC's row comes after midnight with the time of its call.
func TestDateIsToldWhenItChanges(t *testing.T) {
	for _, c := range []struct {
		name  string
		times []string
		want  string
	}{
		{"one day", []string{"2026-11-21 00:00:00.000", "2026-11-21 23:59:59.999"}, `00:00:00.000 ── 2026-11-21, times are UTC
00:00:00.000 x
23:59:59.999 x
`},
		{"midnight", []string{"2026-11-21 23:59:59.999", "2026-11-22 00:00:00.000", "2026-11-21 23:59:58.000", "2026-11-22 00:00:01.000"}, `23:59:59.999 ── 2026-11-21, times are UTC
23:59:59.999 x
00:00:00.000 ── 2026-11-22, times are UTC
00:00:00.000 x
23:59:58.000 x
00:00:01.000 x
`},
		{"days without traffic", []string{"2026-11-21 10:00:00.000", "2026-11-24 11:00:00.000"}, `10:00:00.000 ── 2026-11-21, times are UTC
10:00:00.000 x
11:00:00.000 ── 2026-11-24, times are UTC
11:00:00.000 x
`},
		{"clock set back", []string{"2026-11-21 10:00:00.000", "2026-11-20 11:59:59.999"}, `10:00:00.000 ── 2026-11-21, times are UTC
10:00:00.000 x
11:59:59.999 ── 2026-11-20, times are UTC
11:59:59.999 x
`},
		{"no time", []string{"", "2026-11-21 10:00:00.000", "2026-11-21 09:00:00.000", ""}, `-            x
10:00:00.000 ── 2026-11-21, times are UTC
10:00:00.000 x
09:00:00.000 x
10:00:00.000 x
`},
	} {
		var out bytes.Buffer
		text := NewText(&out, listing.Options{TimeOfDay: true})
		for _, when := range c.times {
			text.Stamp(at(t, when))
			text.B = append(text.B, 'x')
			text.EndStamped()
		}
		if err := text.Flush(); err != nil || out.String() != c.want {
			t.Errorf("%s: %v\n%swant\n%s", c.name, err, out.String(), c.want)
		}
	}
}

// TestRowHeads holds what rows begin with: as wide with the time of day as with seconds.
func TestRowHeads(t *testing.T) {
	start := at(t, "2026-11-21 02:04:21.785")
	later := start + int64(52_946*time.Millisecond)
	for _, x := range []struct {
		files     int
		timeOfDay bool
		want      string
	}{
		{1, false, "  Frame     Time [s]  Conn  |     43    52.946000        |     44            -        "},
		{1, true, "Time [UTC]     Frame  Conn  |02:05:14.731      43        |-                 44        "},
		{2, false, "File    Frame     Time [s]  Conn  |   0       43    52.946000        |   0       44            -        "},
		{2, true, "Time [UTC]   File    Frame  Conn  |02:05:14.731    0       43        |-               0       44        "},
	} {
		var out bytes.Buffer
		text := NewText(&out, listing.Options{Level: listing.LevelFrame, Files: x.files, TimeOfDay: x.timeOfDay})
		text.Begin(start)
		for i, ns := range []int64{later, 0} {
			b := draft.Placeholder{What: draft.Cells, Begins: true, Next: placed(text), Time: ns}
			b.Ref.Number = int64(43 + i)
			text.Fill(&b)
			text.End()
		}
		if err := text.Flush(); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(out.Bytes(), []byte("\n"))
		lines = lines[1:] // the date, or since when times count
		var got []byte
		for i, line := range lines[:3] {
			if i > 0 {
				got = append(got, '|')
			}
			got = append(got, bytes.Split(line, []byte("OpCode"))[0]...)
		}
		if string(got) != x.want {
			t.Errorf("%d files, time of day %v:\n%s, want\n%s", x.files, x.timeOfDay, got, x.want)
		}
	}
}

// placed is how many cells a row of frames begins with that only the order of the capture
// decides.
func placed(t *Text) uint16 {
	return uint16(slices.IndexFunc(t.columns.heads, func(h head) bool { return h.placed == nil }))
}
