package top

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/top/startup"
	"github.com/rdmacap/rdmacap/report/watch"
)

// After the initialization of bubbletea, before main.
var _ = startup.Done()

// every is how often the screen is brought up to date.
const every = 500 * time.Millisecond

// A Source takes a Snapshot, with more of the connection of that number, if it is not 0.
type Source func(id int) *watch.Snapshot

// Options are what a Model can be told.
type Options struct {
	// Name is what is watched, Color whether there are colours.
	Name  string
	Color bool
	// Interrupted and Quit are called when the user interrupts, or quits; nil for nothing.
	Interrupted, Quit func()
}

// A Model is the state of the screen. It implements tea.Model.
type Model struct {
	opts   Options
	name   string
	source Source
	style  style
	// snap is what is shown; it is never changed.
	snap          *watch.Snapshot
	width, height int

	paused, help bool
	sort         string // what the connections are sorted by, as columns say
	reverse      bool
	choice       choice
	selected     int // number of the connection on which the mark stands, 0 before there is one
	first        int // index of the first that fits on the screen

	open   int    // number of the connection that is shown by itself, 0 for all
	focus  focus  // which of its lists has the room
	scroll int    // how far that is scrolled back from its newest
	looked string // text that is looked for in them

	asking      bool // for a filter
	input       string
	wrong       string // with what was asked for
	liveMessage string // the last message of live
}

// NewModel returns a Model of what a source has.
func NewModel(source Source, o Options) Model {
	return Model{
		opts: o, name: field.Visible(o.Name), source: source, style: newStyle(o.Color),
		snap: new(watch.Snapshot), width: 80, height: 24, sort: "number",
	}
}

// snapshotMsg brings a new Snapshot; asked says that a key asked for it, and it is shown even
// if the screen is paused.
type snapshotMsg struct {
	*watch.Snapshot
	asked bool
}

// liveMsg is a message of live.
type liveMsg string

// tickMsg says that it is time for a Snapshot.
type tickMsg struct{}

// listed are the connections that are chosen, in order.
func (m *Model) listed() []watch.Row {
	list := make([]watch.Row, 0, len(m.snap.Rows))
	for i := range m.snap.Rows {
		if m.choice.has(&m.snap.Rows[i]) {
			list = append(list, m.snap.Rows[i])
		}
	}
	order := m.order()
	slices.SortStableFunc(list, func(a, b watch.Row) int {
		if m.reverse != order.most {
			return order.order(&b, &a)
		}
		return order.order(&a, &b)
	})
	return list
}

// order is the column that the connections are sorted by.
func (m *Model) order() *column {
	list := columns(wide, 1)
	i := slices.IndexFunc(list, func(c column) bool { return c.by == m.sort })
	return &list[max(0, i)]
}

// room is how many connections fit on the screen.
func (m *Model) room() int { return max(1, m.height-headLines-footLines) }

// settled is the model with its mark on a connection that is listed and can be seen.
func (m Model) settled() Model {
	list := m.listed()
	if len(list) == 0 {
		m.first = 0
		return m
	}
	at := slices.IndexFunc(list, func(r watch.Row) bool { return r.ID == m.selected })
	if at < 0 {
		at = min(m.first, len(list)-1)
		m.selected = list[at].ID
	}
	room := m.room()
	m.first = max(min(m.first, at, len(list)-room), at-room+1, 0)
	return m
}

// A focus is which list of a connection has the room.
type focus int

const (
	headLines = 5 // above the connections: three of figures, an empty one, the titles
	footLines = 3 // below: the newest finding, a message, the keys
	// leastWidth and leastHeight are those of the smallest terminal that will do.
	leastWidth, leastHeight = 40, 10
)

// takeSnapshot takes a Snapshot now.
func (m Model) takeSnapshot(asked bool) tea.Cmd {
	source, open := m.source, m.open
	return func() tea.Msg { return snapshotMsg{source(open), asked} }
}
