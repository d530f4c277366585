package top

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/rdmacap/rdmacap/field"
)

// Init implements tea.Model.
func (m Model) Init() tea.Cmd {
	return tea.Batch(m.takeSnapshot(true), m.later())
}

func (m Model) later() tea.Cmd {
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{} })
}

// Update implements tea.Model.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tickMsg:
		return m, tea.Batch(m.takeSnapshot(false), m.later())
	case snapshotMsg:
		if !m.paused || msg.asked {
			m.snap = msg.Snapshot
		}
	case liveMsg:
		m.liveMessage = field.Visible(strings.TrimSpace(string(msg)))
	case tea.KeyMsg:
		next, cmd := m.key(msg)
		return next.settled(), cmd
	}
	return m.settled(), nil
}
