package top

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/watch"
)

// mostInput is how many bytes a filter may have.
const mostInput = 400

// key does what a key asks for.
func (m Model) key(k tea.KeyMsg) (Model, tea.Cmd) {
	if k.Type == tea.KeyCtrlC {
		return m, m.endLive(m.opts.Interrupted)
	}
	m.liveMessage = "" // it was seen
	if k.Type == tea.KeyCtrlZ {
		return m, tea.Suspend
	}
	if m.asking {
		return m.ask(k), nil
	}
	if k.Type == tea.KeyRunes && len(k.Runes) > 1 { // pressed faster than they were read
		return m.each(k)
	}
	if m.help { // any key leaves it
		m.help = false
		if k.String() == "q" {
			return m, m.endLive(m.opts.Quit)
		}
		return m, nil
	}
	switch k.String() {
	case "q":
		return m, m.endLive(m.opts.Quit)
	case "?", "h":
		m.help = true
	case " ":
		m.paused = !m.paused
		if !m.paused {
			return m, m.takeSnapshot(true)
		}
	case "/":
		m.asking, m.wrong, m.input = true, "", m.choice.text
		if m.open != 0 {
			m.input = m.looked
		}
	default:
		if m.open != 0 {
			return m.detailKey(k)
		}
		return m.listKey(k)
	}
	return m, nil
}

// each does what several keys ask for, one after the other.
func (m Model) each(k tea.KeyMsg) (Model, tea.Cmd) {
	var cmds []tea.Cmd
	if k.Paste { // nobody pressed them
		return m, nil
	}
	for _, r := range k.Runes {
		next, cmd := m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		m = next.settled()
		if cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	if len(cmds) == 0 {
		return m, nil
	}
	return m, tea.Sequence(cmds...)
}

// endLive ends the program, after a function.
func (m *Model) endLive(do func()) tea.Cmd {
	if do != nil {
		do()
	}
	return tea.Quit
}

// listKey is a key while all connections are shown.
func (m Model) listKey(k tea.KeyMsg) (Model, tea.Cmd) {
	list := m.listed()
	at := slices.IndexFunc(list, func(r watch.Row) bool { return r.ID == m.selected })
	move := func(to int) {
		if len(list) > 0 {
			m.selected = list[min(max(to, 0), len(list)-1)].ID
		}
	}
	switch k.String() {
	case "up", "k":
		move(at - 1)
	case "down", "j":
		move(at + 1)
	case "pgup", "ctrl+b":
		move(at - m.room())
	case "pgdown", "ctrl+f":
		move(at + m.room())
	case "home", "g":
		move(0)
	case "end", "G":
		move(len(list) - 1)
	case "enter", "right", "l":
		if at >= 0 {
			m.open, m.focus, m.scroll, m.looked = m.selected, allLists, 0, ""
			return m, m.takeSnapshot(true)
		}
	case "s", "S":
		order := columns(wide, 1)
		i := slices.IndexFunc(order, func(c column) bool { return c.by == m.sort })
		step := 1
		if k.String() == "S" {
			step = len(order) - 1
		}
		m.sort, m.reverse = order[(i+step)%len(order)].by, false
	case "r":
		m.reverse = !m.reverse
	case "esc":
		m.choice, m.wrong = choice{}, ""
	}
	return m, nil
}

// detailKey is a key while one connection is shown.
func (m Model) detailKey(k tea.KeyMsg) (Model, tea.Cmd) {
	page := max(1, m.height/2)
	switch k.String() {
	case "esc", "left", "backspace":
		if m.looked != "" && k.String() == "esc" {
			m.looked = ""
			break
		}
		m.open = 0
	case "up", "k":
		m.scroll++
	case "down", "j":
		m.scroll--
	case "pgup", "ctrl+b":
		m.scroll += page
	case "pgdown", "ctrl+f":
		m.scroll -= page
	case "home", "g":
		m.scroll = len(m.snap.Detail.RPCs) + len(m.snap.Detail.Findings) + len(m.snap.Detail.Operations)
	case "end", "G":
		m.scroll = 0
	case "tab":
		m.focus, m.scroll = (m.focus+1)%lists, 0
	case "shift+tab":
		m.focus, m.scroll = (m.focus+lists-1)%lists, 0
	}
	m.scroll = min(max(m.scroll, 0), max(0, m.focused()-1))
	return m, nil
}

// ask is a key while a filter is written.
func (m Model) ask(k tea.KeyMsg) Model {
	switch k.Type {
	case tea.KeyEsc:
		m.asking, m.wrong = false, ""
	case tea.KeyEnter:
		m.asking, m.wrong = false, ""
		if m.open != 0 {
			m.looked = m.input
			break
		}
		c, err := choose(m.input)
		if err != nil {
			line, _, _ := strings.Cut(err.Error(), "\n")
			m.asking, m.wrong = true, field.Visible(line)
			break
		}
		m.choice = c
	case tea.KeyBackspace:
		_, n := utf8.DecodeLastRuneInString(m.input)
		m.input = m.input[:len(m.input)-n]
	case tea.KeyCtrlU:
		m.input = ""
	case tea.KeySpace, tea.KeyRunes:
		for _, r := range k.Runes {
			if len(m.input) < mostInput && r != utf8.RuneError && !unicode.IsControl(r) {
				m.input += string(r)
			}
		}
	}
	return m
}
