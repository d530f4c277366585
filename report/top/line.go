package top

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/watch"
)

// AppendLine appends what all connections came to, in a line: what there is of a Snapshot
// where there is no terminal. Figures are of this second and the one before.
func AppendLine(b []byte, s *watch.Snapshot) []byte {
	f := &s.Second
	b = append(b, at(s.Time)...)
	b = append(b, "  "...)
	b = append(b, field.Counted(int64(s.Connections-s.Ended), "connection")...)
	if s.Ended > 0 {
		b = append(b, ", "...)
		b = strconv.AppendInt(b, int64(s.Ended), 10)
		b = append(b, " ended"...)
	}
	b = append(b, "  calls/s "+rate(f.Calls)+"  MB/s to server "+megabytes(f.ToServer)+" to client "+megabytes(f.ToClient)...)
	b = append(b, "  p50 "+latency(f, f.P50)+" p99 "+latency(f, f.P99)+" max "+latency(f, f.Max)...)
	for _, c := range []struct {
		name string
		n    int64
	}{
		{"retransmitted", s.Retransmissions}, {"lost", s.LostOnWire}, {"missing", s.Missing},
		{"dropped", s.Drops.Kernel + s.Drops.Ring + s.Drops.Shed},
	} {
		b = append(b, "  "+c.name+" "...)
		b = strconv.AppendInt(b, c.n, 10)
	}
	b = append(b, "  findings "...)
	if text := findings(s.Findings); text != "" {
		b = append(b, text...)
	} else {
		b = append(b, '0')
	}
	return append(b, '\n')
}
