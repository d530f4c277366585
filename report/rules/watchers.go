package rules

import "github.com/rdmacap/rdmacap/dissect"

// watchers are the hooks of a connection, or of the capture, by event.
type watchers struct {
	setUp   []func()
	frame   table[*dissect.FrameView]
	message table[*dissect.Message]
	access  []func(*dissect.Access)
	rpc     table[*dissect.RPC]
	judged  table[*dissect.RPC]
	tick    []func(int64)
	end     []func()
}

// newWatchers has room for what so many rules want to see.
func newWatchers(rules int) (w watchers) {
	w.message.room(rules / 2)
	w.rpc.room(2 * rules / 3)
	w.frame.room(rules / 6)
	w.end = make([]func(), 0, rules/3)
	return w
}

func (w *watchers) add(h Hooks) {
	w.frame.add(Class(h.FrameOf), h.Frame, h.Done)
	w.message.add(h.MessageOf, h.Message, h.Done)
	w.rpc.add(h.RPCOf, h.RPC, h.Done)
	w.judged.add(h.JudgedOf, h.Judged, h.Done)
	if h.SetUp != nil {
		w.setUp = append(w.setUp, h.SetUp)
	}
	if h.Access != nil {
		w.access = append(w.access, h.Access)
	}
	if h.Tick != nil {
		w.tick = append(w.tick, h.Tick)
	}
	if h.End != nil {
		w.end = append(w.end, h.End)
	}
}
