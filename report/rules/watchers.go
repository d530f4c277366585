package rules

import "github.com/rdmacap/rdmacap/dissect"

// watchers are the hooks of a connection, or of the capture, by event.
type watchers struct {
	setUp   []func()
	frame   []func(*dissect.FrameView)
	message []func(*dissect.Message)
	access  []func(*dissect.Access)
	rpc     []func(*dissect.RPC)
	judged  []func(*dissect.RPC)
	tick    []func(int64)
	end     []func()
}

func (w *watchers) add(h Hooks) {
	if h.SetUp != nil {
		w.setUp = append(w.setUp, h.SetUp)
	}
	if h.Frame != nil {
		w.frame = append(w.frame, h.Frame)
	}
	if h.Message != nil {
		w.message = append(w.message, h.Message)
	}
	if h.Access != nil {
		w.access = append(w.access, h.Access)
	}
	if h.RPC != nil {
		w.rpc = append(w.rpc, h.RPC)
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
