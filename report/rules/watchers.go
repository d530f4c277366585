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

// newWatchers has room for what so many rules want to see.
func newWatchers(rules int) (w watchers) {
	w.message.room(rules / 2)
	w.rpc.room(2 * rules / 3)
	w.frame.room(rules / 6)
	w.end = make(list[func()], 0, rules/3)
	return w
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
