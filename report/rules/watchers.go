package rules

import "github.com/rdmacap/rdmacap/dissect"

// watchers are the hooks of a connection, or of the capture, by event, among what rules
// declare.
type watchers struct {
	turn    int  // of the rule that adds its hooks
	all     bool // needs are ignored
	setUp   hooked[nothing]
	frame   hooked[*dissect.FrameView]
	message hooked[*dissect.Message]
	access  hooked[*dissect.Access]
	rpc     hooked[*dissect.RPC]
	judged  hooked[*dissect.RPC]
	tick    hooked[int64]
	end     hooked[nothing]
}

// steps adds what rules declare that look at a connection once it speaks a protocol, and
// did not before.
func (w *watchers) steps(t *tables, after, to int) {
	w.setUp.steps(&t.setUp, after, to)
	w.frame.steps(&t.frame, after, to)
	w.message.steps(&t.message, after, to)
	w.access.steps(&t.access, after, to)
	w.rpc.steps(&t.rpc, after, to)
	w.judged.steps(&t.judged, after, to)
	w.tick.steps(&t.tick, after, to)
	w.end.steps(&t.end, after, to)
}

// A size is how many hooks of each kind the largest connection has so far, so that
// those of the next are made at once.
type size struct{ setUp, frame, message, access, rpc, judged, tick, end int }

// note takes the hooks of a connection.
func (s *size) note(w *watchers) {
	*s = size{
		max(s.setUp, len(w.setUp.hooks)), max(s.frame, len(w.frame.hooks)), max(s.message, len(w.message.hooks)), max(s.access, len(w.access.hooks)),
		max(s.rpc, len(w.rpc.hooks)), max(s.judged, len(w.judged.hooks)), max(s.tick, len(w.tick.hooks)), max(s.end, len(w.end.hooks)),
	}
}

// room makes place for as many hooks.
func (w *watchers) room(s *size) {
	w.setUp.room(s.setUp)
	w.access.room(s.access)
	w.tick.room(s.tick)
	w.end.room(s.end)
	w.frame.room(s.frame)
	w.message.room(s.message)
	w.rpc.room(s.rpc)
	w.judged.room(s.judged)
}

func (w *watchers) add(h Hooks) {
	if w.all {
		h.FrameOf, h.MessageOf, h.RPCOf, h.JudgedOf = 0, 0, 0, 0
	}
	w.frame.add(w.turn, Class(h.FrameOf), h.Frame, h.Done)
	w.message.add(w.turn, h.MessageOf, h.Message, h.Done)
	w.rpc.add(w.turn, h.RPCOf, h.RPC, h.Done)
	w.judged.add(w.turn, h.JudgedOf, h.Judged, h.Done)
	w.access.add(w.turn, 0, h.Access, nil)
	w.tick.add(w.turn, 0, h.Tick, nil)
	if do := h.SetUp; do != nil {
		w.setUp.add(w.turn, 0, func(nothing) { do() }, nil)
	}
	if do := h.End; do != nil {
		w.end.add(w.turn, 0, func(nothing) { do() }, nil)
	}
}

// ignoreNeeds has all hooks called for every event.
func (w *watchers) ignoreNeeds() {
	w.frame.ignoreNeeds()
	w.message.ignoreNeeds()
	w.rpc.ignoreNeeds()
	w.judged.ignoreNeeds()
}

func (t *hooked[T]) ignoreNeeds() {
	for i := range t.hooks {
		t.hooks[i].of = plain
	}
	t.reset()
}
