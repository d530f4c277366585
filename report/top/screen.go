package top

import (
	"fmt"
	"io"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// framesASecond is how often the terminal is written to at most: a key shows soon, and no
// more is drawn than anybody sees.
const framesASecond = 20

// A Screen runs a Model on a terminal, in a goroutine of its own.
type Screen struct {
	program *tea.Program
	done    chan struct{}
	err     error
}

// NewScreen takes over a terminal. Keys come from standard input, or where that is no terminal
// from the one that controls the process.
func NewScreen(out io.Writer, m Model) *Screen {
	s := &Screen{done: make(chan struct{})}
	s.program = tea.NewProgram(m, tea.WithOutput(out), tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(framesASecond))
	go func() {
		defer close(s.done)
		_, s.err = s.program.Run()
	}()
	return s
}

// ShowMessage shows a message until the next.
func (s *Screen) ShowMessage(text string) { s.program.Send(liveMsg(text)) }

// Close ends it.
func (s *Screen) Close() { s.program.Quit() }

// Done is closed when the terminal is as it was before.
func (s *Screen) Done() <-chan struct{} { return s.done }

// Err says why it ended if nobody ended it, once it is done.
func (s *Screen) Err() error {
	if s.err != nil {
		return fmt.Errorf("the terminal: %w", s.err)
	}
	return nil
}

// A Held holds what is written to it until it is released, and from then on writes it at once:
// what stands on a screen is not written over. It may be used by several goroutines.
type Held struct {
	mu        sync.Mutex
	onMessage func(text string)
	w         io.Writer
	kept      []byte
	released  bool
}

// mostHeld bounds what is held: the newest bytes.
const mostHeld = 64 << 10

// NewHeld returns one for a writer.
func NewHeld(w io.Writer) *Held { return &Held{w: w} }

// OnMessage has a function told of what is held, from now on, and of what is held already.
func (h *Held) OnMessage(tell func(text string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.onMessage = tell; len(h.kept) > 0 {
		tell(string(h.kept))
	}
}

// Write implements io.Writer.
func (h *Held) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.released {
		return h.w.Write(p)
	}
	h.kept = append(h.kept, p...)
	if more := len(h.kept) - mostHeld; more > 0 {
		h.kept = append(h.kept[:0], h.kept[more:]...)
	}
	if h.onMessage != nil {
		h.onMessage(string(p))
	}
	return len(p), nil
}

// Release writes what is held.
func (h *Held) Release() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.released {
		return nil
	}
	h.released = true
	kept := h.kept
	h.kept = nil
	if len(kept) == 0 {
		return nil
	}
	_, err := h.w.Write(kept)
	return err
}
