package top

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/listing"
	findingrows "github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
	"github.com/rdmacap/rdmacap/report/watch"
)

var update = flag.Bool("update", false, "write the screens in testdata anew")

// TestScreens plays the scripts of testdata: after the text of a scene stand lines with what
// is done, and after each line "screen" what the terminal then shows, each line after a |.
//
//	until 3s         the frames of the scene come, until that long after the first
//	wait 12s         time passes, and no frame comes
//	over             the input ends
//	size 80 24       the terminal has so many columns and lines
//	key down         a key is pressed
//	type some text   keys for all of that
//	told some text   a message of live comes
//	screen           this is what is seen
func TestScreens(t *testing.T) {
	list, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(list) == 0 {
		t.Fatal(err, "no scripts")
	}
	for _, path := range list {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text))
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if got != string(text) {
				t.Errorf("%s is not what it was (-update writes it anew):\n%s", path, differing(string(text), got))
			}
		})
	}
}

// differing are the lines that are not the same.
func differing(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, strings.Join(x[i:min(i+3, len(x))], "\n     "), strings.Join(y[i:min(i+3, len(y))], "\n     "))
		}
	}
	return "there are more lines"
}

const separator = "-- screens --\n"

// play does what a script says, and returns it with what was seen.
func play(t *testing.T, script string) string {
	t.Helper()
	text, steps, found := strings.Cut(script, separator)
	if !found {
		t.Fatalf("no line %q", separator)
	}
	p := newPlayer(t, text)
	var out strings.Builder
	out.WriteString(text + separator)
	for line := range strings.Lines(steps) {
		if strings.HasPrefix(line, "|") {
			continue
		}
		out.WriteString(line)
		p.step(strings.TrimSpace(line), &out)
	}
	return out.String()
}

// A player is a Model of what is watched while a scene plays.
type player struct {
	t      *testing.T
	frames []capture.Frame
	d      *dissect.Dissector
	live   *check.Check
	watch  *watch.Watch
	wall   time.Time
	model  Model
	ended  string // how the user ended it
}

func newPlayer(t *testing.T, text string) *player {
	p := &player{t: t, frames: ruletest.Frames(t, text, scene.RoCE), watch: watch.New(watch.Options{}), wall: time.Unix(1e9, 0)}
	list := catalogue.All()
	p.live = check.New(findingrows.NewLiveSummary(&strings.Builder{}, listing.Options{Names: []string{"mirror0"}}), check.Options{
		Rules: list, Views: []check.View{p.watch.View()},
	})
	p.d = dissect.New(p.live, dissect.Options{Accesses: p.live, Units: true})
	p.model = NewModel(p.snapshot, Options{
		Name: "mirror0", Interrupted: func() { p.ended = "interrupted" }, Quit: func() { p.ended = "quit" },
	})
	return p
}

func (p *player) snapshot(id int) *watch.Snapshot {
	s := new(watch.Snapshot)
	p.watch.Snapshot(s, p.wall, id)
	return s
}

func (p *player) step(line string, out *strings.Builder) {
	p.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "", "#":
	case "until":
		end := p.duration(rest) + time.Duration(p.first())
		for len(p.frames) > 0 && time.Duration(p.frames[0].Time) <= end {
			p.d.Frame(&p.frames[0])
			p.frames = p.frames[1:]
		}
		p.refresh()
	case "wait":
		p.refresh()
		p.wall = p.wall.Add(p.duration(rest))
		p.refresh()
	case "over":
		p.live.Over(nil)
		p.d.Flush()
		if err := p.live.Finish(p.d.Summary(), 0); err != nil {
			p.t.Error(err)
		}
		p.watch.Over()
		p.refresh()
	case "size":
		var w, h int
		if _, err := fmt.Sscanf(rest, "%d %d", &w, &h); err != nil {
			p.t.Fatalf("%s: %v", line, err)
		}
		p.send(tea.WindowSizeMsg{Width: w, Height: h})
	case "key":
		p.send(keyOf(p.t, rest))
	case "type":
		for _, r := range rest {
			p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	case "told":
		told, err := strconv.Unquote(rest)
		if err != nil {
			p.t.Fatalf("%s: %v", line, err)
		}
		p.send(liveMsg(told))
	case "screen":
		p.screen(out)
	case "ended":
		if p.ended != rest {
			p.t.Errorf("it ended by %q, want %q", p.ended, rest)
		}
	default:
		p.t.Fatalf("no step is %q", line)
	}
}

// first is when the first frame comes, in nanoseconds.
func (p *player) first() int64 {
	if began := p.snapshot(0).Began; began != 0 {
		return began
	}
	return p.frames[0].Time
}

func (p *player) duration(s string) time.Duration {
	d, err := time.ParseDuration(s)
	if err != nil {
		p.t.Fatal(err)
	}
	return d
}

// refresh is what happens twice a second.
func (p *player) refresh() { p.send(p.model.takeSnapshot(false)()) }

// send has the Model take a message, and what comes of it.
func (p *player) send(msg tea.Msg) {
	next, cmd := p.model.Update(msg)
	p.model = next.(Model)
	if cmd == nil {
		return
	}
	if more, ok := cmd().(snapshotMsg); ok {
		p.send(more)
	}
}

// screen writes what is seen, which must fit the terminal.
func (p *player) screen(out *strings.Builder) {
	lines := strings.Split(p.model.View(), "\n")
	if len(lines) > p.model.height {
		p.t.Errorf("%d lines on a terminal of %d", len(lines), p.model.height)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n > p.model.width || !utf8.ValidString(line) {
			p.t.Errorf("%d columns on a terminal of %d: %q", n, p.model.width, line)
		}
		if strings.ContainsFunc(ansi.Strip(line), unicode.IsControl) {
			p.t.Errorf("a control character that is no style: %q", line)
		}
		out.WriteString(strings.TrimRight("|"+line, " ") + "\n")
	}
}

// keyOf is a key by its name.
func keyOf(t *testing.T, name string) tea.KeyMsg {
	for _, k := range []tea.KeyType{
		tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyEnter, tea.KeyEsc, tea.KeyTab, tea.KeyShiftTab,
		tea.KeyBackspace, tea.KeyCtrlC, tea.KeyCtrlU, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd,
	} {
		if m := (tea.KeyMsg{Type: k}); m.String() == name {
			return m
		}
	}
	if name == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if utf8.RuneCountInString(name) != 1 {
		t.Fatalf("no key is %q", name)
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
