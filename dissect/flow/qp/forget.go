package qp

import (
	"maps"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// LetGo forgets what is known of addresses that are chosen beside their open connections:
// packets that wait for theirs, and what is left of those that ended.
func (t *Tracker) LetGo(which flow.Between) {
	for k, h := range t.requesters {
		if h.conn != nil || !which(k.src, k.dst) {
			continue
		}
		t.waiting.Remove(&h.search.waiting)
		t.queued -= h.queued
		t.paired(h)
		delete(t.requesters, k)
	}
	maps.DeleteFunc(t.marks, func(k key, _ mark) bool { return which(k.src, k.dst) })
	maps.DeleteFunc(t.evicted, func(k key, _ *evicted) bool { return which(k.src, k.dst) })
	t.last = [2]*requester{}
}
