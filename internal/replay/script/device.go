package script

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// ofDevice says in words what of the connection its adapters and the network did, a line each:
// that has no place in verbs, so a replay has its own.
func ofDevice(c *dissect.Connection, corrupt int64) (list []string) {
	n := &c.Counters
	for _, x := range []struct {
		what  string
		count int64
	}{
		{"retransmitted frames", n.Retransmissions}, {"frames lost on the wire", n.LostOnWire}, {"frames captured out of order", n.Reordered},
		{"negative acknowledgements", n.NAKs}, {"RNR NAKs", n.RNRs}, {"FPDUs whose CRC is wrong", n.BadCRC}, {"frames whose ICRC is wrong", corrupt},
	} {
		if x.count > 0 {
			list = append(list, fmt.Sprintf("%s: %d", x.what, x.count))
		}
	}
	return list
}

// Frame counts frames whose ICRC is wrong.
func (r *Recorder) Frame(v *dissect.FrameView) {
	if v.Connection != nil && v.Connection == r.of && v.Verdict.Note == flow.Corrupt {
		r.corrupt++
	}
}
