package query

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// addPhases adds where the time of an RPC went.
func addPhases(l *list[*dissect.RPC]) {
	l.structure(Member{Name: "parts_ns", Part: Timing, Type: "object or null", Doc: "where the time went, see below; null if the latency is null"})
	l.member(Member{Name: "server_or_lost_reply", Part: Timing, Absent: LeftOut, Beyond: true,
		Doc: "true if `server` ends with a silence so long that the responder may have answered earlier, and retransmitted what was lost before the capture point: as long as the Local ACK Timeout of the REQ, 67 ms if that is unknown, 200 ms over TCP. Otherwise left out"},
		filter.Bool, func(r *dissect.RPC) (uint64, bool) {
			p, ok := r.Parts()
			return 1, ok && p.OrLostReply
		})
	for x, doc := range [dissect.NumPhases]string{
		"how long all credits were in use until one was free for the call",
		"until the responder acknowledged the call",
		"from the first RDMA Read request until the responder may have had the data",
		"how long the responder is shown to have had everything it needed",
		"from the first RDMA Write to the reply",
		"from the first frame of the reply to its last, after the latency",
		"until something was retransmitted that the RPC could not proceed without",
		"part of the latency that the frames cannot attribute",
	} {
		phase := dissect.Phase(x)
		l.addField(filter.Field{Name: "rpc.parts." + phase.String(), Kind: filter.Duration, Doc: doc},
			func(r *dissect.RPC, to *filter.Values) {
				if p, ok := r.Parts(); ok {
					if ns, ok := p.Of(phase); ok {
						to.Duration(time.Duration(ns))
					}
				}
			})
	}
	l.addField(filter.Field{Name: "rpc.parts.longest", Kind: filter.Enum, Names: named(upTo(dissect.NumPhases - 1)...), Doc: "which part of the latency took longest"},
		func(r *dissect.RPC, to *filter.Values) {
			if p, ok := r.Parts(); ok {
				x, _ := p.Longest()
				to.Uint(uint64(x))
			}
		})
}
