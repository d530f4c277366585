package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
)

// watchers are the hooks of a connection, or of the capture, by event.
type watchers struct {
	turn    int // of the rule that adds its hooks
	setUp   list[func()]
	frame   table[*dissect.FrameView]
	message table[*dissect.Message]
	access  list[func(*dissect.Access)]
	rpc     table[*dissect.RPC]
	judged  table[*dissect.RPC]
	tick    list[func(int64)]
	end     list[func()]
}

// A size is how many hooks of each kind the largest connection has so far, so that
// those of the next are made at once.
type size struct{ setUp, frame, message, access, rpc, judged, tick, end int }

// note takes the hooks of a connection.
func (s *size) note(w *watchers) {
	*s = size{
		max(s.setUp, len(w.setUp)), max(s.frame, len(w.frame.hooks)), max(s.message, len(w.message.hooks)), max(s.access, len(w.access)),
		max(s.rpc, len(w.rpc.hooks)), max(s.judged, len(w.judged.hooks)), max(s.tick, len(w.tick)), max(s.end, len(w.end)),
	}
}

// room makes place for as many hooks.
func (w *watchers) room(s *size) {
	w.setUp, w.access = make(list[func()], 0, s.setUp), make(list[func(*dissect.Access)], 0, s.access)
	w.tick, w.end = make(list[func(int64)], 0, s.tick), make(list[func()], 0, s.end)
	w.frame.room(s.frame)
	w.message.room(s.message)
	w.rpc.room(s.rpc)
	w.judged.room(s.judged)
}

func (w *watchers) add(h Hooks) {
	w.frame.add(w.turn, Class(h.FrameOf), h.Frame, h.Done)
	w.message.add(w.turn, h.MessageOf, h.Message, h.Done)
	w.rpc.add(w.turn, h.RPCOf, h.RPC, h.Done)
	w.judged.add(w.turn, h.JudgedOf, h.Judged, h.Done)
	if h.SetUp != nil {
		w.setUp.add(w.turn, h.SetUp)
	}
	if h.Access != nil {
		w.access.add(w.turn, h.Access)
	}
	if h.Tick != nil {
		w.tick.add(w.turn, h.Tick)
	}
	if h.End != nil {
		w.end.add(w.turn, h.End)
	}
}

// A list are the hooks of an event that has no classes, in the order of their turns.
type list[F any] []placed[F]

type placed[F any] struct {
	turn int
	do   F
}

func (l *list[F]) add(turn int, do F) {
	i := len(*l)
	for i > 0 && (*l)[i-1].turn > turn {
		i--
	}
	*l = slices.Insert(*l, i, placed[F]{turn, do})
}
