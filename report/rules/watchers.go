package rules

import "github.com/rdmacap/rdmacap/dissect"

// watchers are the hooks of a connection, or of the capture, by event.
type watchers struct {
	setUp   []func()
	frame   []func(*dissect.FrameView)
	message []hook[*dissect.Message]
	access  []func(*dissect.Access)
	rpc     []hook[*dissect.RPC]
	judged  []func(*dissect.RPC)
	tick    []func(int64)
	end     []func()
}

// A hook is called for what has one of the bits.
type hook[T any] struct {
	of Class
	do func(T)
}

// or is the class, or all bits for none.
func (c Class) or() Class {
	if c == 0 {
		return all
	}
	return c
}

// all is every bit, one of which everything has: the class of what is plain is plain.
const (
	plain Class = 1 << 15
	all   Class = 1<<16 - 1
)

// newWatchers has room for what so many rules want to see.
func newWatchers(rules int) watchers {
	return watchers{
		message: make([]hook[*dissect.Message], 0, rules/2),
		rpc:     make([]hook[*dissect.RPC], 0, 2*rules/3),
		end:     make([]func(), 0, rules/3),
		frame:   make([]func(*dissect.FrameView), 0, rules/6),
	}
}

func (w *watchers) add(h Hooks) {
	if h.SetUp != nil {
		w.setUp = append(w.setUp, h.SetUp)
	}
	if h.Frame != nil {
		w.frame = append(w.frame, h.Frame)
	}
	if h.Message != nil {
		w.message = append(w.message, hook[*dissect.Message]{h.MessageOf.or(), h.Message})
	}
	if h.Access != nil {
		w.access = append(w.access, h.Access)
	}
	if h.RPC != nil {
		w.rpc = append(w.rpc, hook[*dissect.RPC]{h.RPCOf.or(), h.RPC})
	}
	if h.Judged != nil {
		w.judged = append(w.judged, h.Judged)
	}
	if h.Tick != nil {
		w.tick = append(w.tick, h.Tick)
	}
	if h.End != nil {
		w.end = append(w.end, h.End)
	}
}
