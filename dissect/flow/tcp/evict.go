package tcp

import (
	"maps"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// LetGo forgets what is known of addresses that are chosen beside their open connections:
// those that may turn out to carry iWARP, and marks of those that ended.
func (t *Tracker) LetGo(which flow.Between) {
	for _, tc := range slices.Clone(t.candidates) {
		if which(tc.key.Addr[0], tc.key.Addr[1]) {
			t.unwatch(tc)
		}
	}
	maps.DeleteFunc(t.tcpMarks, func(k flow.TCPName, _ bool) bool { return which(k.Addr[0], k.Addr[1]) })
}
