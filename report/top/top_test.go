package top

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/watch"
)

// TestNumbers holds how numbers look, which have to fit their columns.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ what, got, want string }{
		{"count", count(0), "0"},
		{"count", count(99_999), "99999"},
		{"count", count(123_456), "123k"},
		{"count", count(12_345_678), "12M"},
		{"count", count(98_765_432_100), "98G"},
		{"rate", rate(0), "0"},
		{"rate", rate(0.04), "<0.1"},
		{"rate", rate(0.25), "0.2"},
		{"rate", rate(9.94), "9.9"},
		{"rate", rate(9.96), "10"},
		{"rate", rate(123_456), "123k"},
		{"megabytes", megabytes(0), "0"},
		{"megabytes", megabytes(9_999), "<0.01"},
		{"megabytes", megabytes(1_234_567), "1.23"},
		{"megabytes", megabytes(9_995_001), "10.0"},
		{"megabytes", megabytes(99_950_001), "100"},
		{"megabytes", megabytes(12_345_000_000), "12345"},
		{"span", span(999), "999ns"},
		{"span", span(43_600_000), "43.6ms"},
		{"while", while(99 * time.Second), "99 s"},
		{"while", while(100 * time.Second), "1 min"},
		{"while", while(200 * time.Minute), "3 h 20 min"},
		{"findings", findings(finding.Tally{Errors: 2, Notes: 7}), "2E 7N"},
		{"worst", worst(finding.Tally{Warnings: 1, Notes: 3}), "1W+"},
		{"worst", worst(finding.Tally{Errors: 2, Warnings: 1, Notes: 3}), "2E+"},
		{"worst", worst(finding.Tally{Errors: 2, Notes: 3}), "2E+"},
		{"worst", worst(finding.Tally{Warnings: 12}), "12W"},
		{"worst", worst(finding.Tally{Notes: 3}), "3N"},
		{"worst", worst(finding.Tally{Warnings: 123, Notes: 3}), "123W"},
		{"worst", worst(finding.Tally{}), ""},
		{"bytes", byteSize(999_999), "999 kB"},
		{"bytes", byteSize(12_345_678), "12 MB"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}

// TestFit holds that text is cut by columns, and by whole characters.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		left  bool
		want  string
	}{
		{"abc", 5, true, "abc  "}, {"abc", 5, false, "  abc"}, {"abcdef", 4, true, "abc…"}, {"文件文件", 5, true, "文件…"},
		{"文件", 3, false, " 文…"}, {"abc", 0, true, ""}, {"abc", -3, true, ""},
	} {
		if got := pad(c.text, c.width, c.left); strings.TrimSpace(got) != strings.TrimSpace(c.want) || c.width > 0 && ansi.StringWidth(got) != c.width {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestColour holds that a screen says the same with colours and without.
func TestColour(t *testing.T) {
	s := &watch.Snapshot{
		Rows: []watch.Row{
			{ID: 1, Transport: "RoCEv2", Findings: finding.Tally{Errors: 1}},
			{ID: 2, Ended: "reset", Findings: finding.Tally{Warnings: 1}},
			{ID: 3, Now: watch.Figures{Quiet: true}},
		},
		Connections: 3, Findings: finding.Tally{Errors: 1, Warnings: 1}, Losses: watch.Losses{Retransmissions: 3},
	}
	view := func(color bool) string {
		m := NewModel(func(int) *watch.Snapshot { return s }, Options{Name: "x", Color: color})
		m.paused = true
		next, _ := m.Update(snapshotMsg{s, true})
		return next.View()
	}
	plain, colored := view(false), view(true)
	if strings.Contains(plain, "\x1b") {
		t.Errorf("there are escapes without colour: %q", plain)
	}
	if !strings.Contains(colored, "\x1b[") || ansi.Strip(colored) != plain {
		t.Errorf("with colours it says something else:\n%s\n%s", ansi.Strip(colored), plain)
	}
}

// TestEveryKey holds that no key, in any order, on any terminal, panics or writes more than
// fits.
func TestEveryKey(t *testing.T) {
	p := newPlayer(t, "connect A clientaddr=192.0.2.11\ncall 1 NFS3 GETATTR object=\"fh\"\nreply 1\nconnect B\ncall 2 NFS3 GETATTR object=\"fh\"\n")
	p.step("until 1h", nil)
	keys := []string{"up", "down", "enter", "esc", "left", "tab", "shift+tab", "s", "S", "r", "/", "a", ">", "backspace", "space", "?", "g", "G", "pgup", "pgdown", "j", "k", "ctrl+u"}
	x := uint32(1)
	for range long.Pick(1000, 20000) {
		x = x*1664525 + 1013904223
		if n := x >> 8; n%37 == 0 {
			p.send(tea.WindowSizeMsg{Width: int(n >> 4 % 200), Height: 1 + int(n>>12%60)})
		} else {
			p.step("key "+keys[n%uint32(len(keys))], nil)
		}
		var out strings.Builder
		p.screen(&out)
	}
}

// TestLine holds the line a second.
func TestLine(t *testing.T) {
	s := &watch.Snapshot{
		Time: 1e18 + 4e9, Connections: 8, Ended: 1, Losses: watch.Losses{Retransmissions: 2, LostOnWire: 1},
		Second:   watch.Figures{Calls: 1234.4, ToServer: 2.5e6, ToClient: 80e6, Answered: 9, P50: 210e3, P99: 1.2e6, Max: 30e6},
		Findings: finding.Tally{Errors: 1}, Drops: finding.Drops{Kernel: 1, Ring: 2, Shed: 4},
	}
	want := "01:46:44  7 connections, 1 ended  calls/s 1234  MB/s to server 2.50 to client 80.0  p50 210µs p99 1.20ms max 30.0ms" +
		"  retransmitted 2  lost 1  missing 0  dropped 7  findings 1E\n"
	if got := string(AppendLine(nil, s)); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestHeld holds that what is written while there is a screen comes after it, and is told.
func TestHeld(t *testing.T) {
	var out bytes.Buffer
	h := NewHeld(&out)
	write := func(text string) {
		if n, err := h.Write([]byte(text)); n != len(text) || err != nil {
			t.Error(n, err)
		}
	}
	var told []string
	write("one\n")
	h.OnMessage(func(text string) { told = append(told, text) })
	write("two\n")
	if out.Len() != 0 || strings.Join(told, "") != "one\ntwo\n" {
		t.Errorf("%q was written, %q told", out.String(), told)
	}
	if err := h.Release(); err != nil {
		t.Error(err)
	}
	write("three\n")
	if err := h.Release(); err != nil || out.String() != "one\ntwo\nthree\n" || len(told) != 2 {
		t.Errorf("%v, %q was written, %q told", err, out.String(), told)
	}
	h = NewHeld(&out)
	out.Reset()
	write(strings.Repeat("x", mostHeld))
	write("end")
	if err := h.Release(); err != nil || out.Len() != mostHeld || !strings.HasSuffix(out.String(), "xend") {
		t.Errorf("%v, %d bytes were written", err, out.Len())
	}
	h = NewHeld(failing{})
	write("x")
	if h.Release() == nil {
		t.Error("a writer that fails is not told")
	}
}

// TestKeysAtOnce holds that keys pressed faster than they are read, which come as one, count
// each, and that what is pasted counts as no key.
func TestKeysAtOnce(t *testing.T) {
	m := NewModel(func(int) *watch.Snapshot { return new(watch.Snapshot) }, Options{})
	m.snap = &watch.Snapshot{Rows: []watch.Row{{ID: 1}, {ID: 2}, {ID: 3}, {ID: 4}}}
	next, _ := m.settled().Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("ssjjj")})
	if got := next.(Model); got.sort != columns(wide, 1)[2].by || got.selected != 4 {
		t.Errorf("sorted by %s, %d is chosen", got.sort, got.selected)
	}
	next, cmd := next.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("kq"), Paste: true})
	if got := next.(Model); got.selected != 4 || cmd != nil {
		t.Errorf("pasted: %d is chosen", got.selected)
	}
	next, cmd = next.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/10.0.0.1")})
	if got := next.(Model); !got.asking || got.input != "10.0.0.1" || cmd != nil {
		t.Errorf("asked for %q", got.input)
	}
}
