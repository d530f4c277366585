package top

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// FuzzScreen shows captures that strangers changed, on terminals of any size, while any keys are
// pressed. What is seen fits, and has no control character (see player.screen).
func FuzzScreen(f *testing.F) {
	var samples [][]capture.Frame
	for _, name := range []string{"rxe-cb", "siw-cb"} {
		list := ruletest.Sample(f, "../../samples/"+name+".pcap.zst")
		samples = append(samples, list[:min(len(list), 200)])
	}
	keys := []string{"up", "down", "enter", "esc", "left", "tab", "shift+tab", "s", "S", "r", "/", "backspace", "space", "?", "g", "G", "pgup", "pgdown", "j", "k", "ctrl+u"}
	for i := range samples {
		f.Add(byte(i), []byte{}, []byte{200, 250, 2, 202, 255, 5, 8, 13})
		f.Add(byte(i), damage.Lose(30), []byte{249, 40, 10, '<', '\x1b', 2, 7, 7, 255})
		f.Add(byte(i), damage.Change(50, 120, 0x1b), []byte{230, 253, 10, 254, 9, 255, 17, 2})
	}
	f.Fuzz(func(t *testing.T, which byte, edits, say []byte) {
		if len(edits) > 512 || len(say) > 64 {
			return
		}
		p := newPlayer(t, "connect\n")
		p.frames = damage.Edit(samples[int(which)%len(samples)], edits)
		take := func(n int) {
			n = min(n, len(p.frames))
			for i := range p.frames[:n] {
				p.d.Frame(&p.frames[i])
			}
			p.frames = p.frames[n:]
			p.refresh()
		}
		over := false
		var out strings.Builder
		for _, b := range say {
			switch {
			case b >= 254 && !over: // the input ends
				take(len(p.frames))
				p.step("over", nil)
				over = true
			case b >= 250: // time passes
				p.step("wait 12s", nil)
			case b >= 225 && !over: // frames come
				take(int(b-224) * 10)
			case b >= 200: // the terminal has another size
				p.send(tea.WindowSizeMsg{Width: int(b-199) * 7 % 200, Height: 1 + int(b)*13%60})
			case int(b) < len(keys):
				p.step("key "+keys[b], nil)
			case b >= 100: // live says something
				p.send(liveMsg(string(say)))
			default:
				p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(b)}})
			}
			p.screen(&out)
			out.Reset()
		}
		line := string(AppendLine(nil, p.snapshot(0)))
		if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
			t.Errorf("the line is %q", line)
		}
	})
}
