package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
)

// ConnectionMembers are the members of the record of a connection, in their order.
func ConnectionMembers() []RecordMember[*dissect.Connection] { return membersOf(connections()) }

// connections is the table of what records say of a connection. Filters cannot ask for it: what
// they are about is over before much of it is known.
func connections() (l list[*dissect.Connection]) {
	l.structure(Member{Name: "id", Type: "number", Doc: "the number that other records refer to it by"})
	l.string(Member{Name: "transport", Doc: "`\"RoCEv2\"`, `\"RoCEv1\"`, `\"InfiniBand\"`, `\"iWARP\"`"},
		func(c *dissect.Connection) string { return c.Transport.String() })
	addConnectionEnds(&l)
	addSetup(&l)
	addLife(&l)
	addCounts(&l)
	return l
}

// addConnectionEnds adds the addresses of the two ends.
func addConnectionEnds(l *list[*dissect.Connection]) {
	ends := [...]struct {
		name string
		of   func(*dissect.Connection) *flow.Endpoint
	}{{"client", (*dissect.Connection).Client}, {"server", (*dissect.Connection).Server}}
	for _, end := range ends {
		l.structure(Member{Name: end.name, Type: "string", Doc: "address; on a native subnet `\"LID 0x0012\"`"})
	}
	for _, end := range ends {
		l.member(Member{Name: end.name + "_port", Absent: LeftOut, Doc: "of the RDMA CM's port space, or of TCP; left out if unknown"}, filter.Uint,
			func(c *dissect.Connection) (uint64, bool) {
				p := end.of(c).Port
				return uint64(p), p != 0
			})
		l.where(func(c *dissect.Connection) bool { return !c.IWARP() }, func() {
			l.member(Member{Name: end.name + "_qpn", Absent: Null, Doc: "null until known; left out for iWARP, which has none"}, filter.Uint,
				func(c *dissect.Connection) (uint64, bool) {
					e := end.of(c)
					return uint64(e.QPN), e.HasQPN
				})
		})
	}
}

// addSetup adds what the ends agreed on.
func addSetup(l *list[*dissect.Connection]) {
	l.string(Member{Name: "setup", Doc: "`\"cm\"`; `\"mpa\"` for iWARP; `\"inferred\"` if the setup is not in the capture"},
		func(c *dissect.Connection) string { return c.Setup.String() })
	l.string(Member{Name: "service", Absent: Empty, Doc: "`\"NFS/RDMA\"`, …, or `\"\"`"}, func(c *dissect.Connection) string { return c.Service })
	l.structure(Member{Name: "client_private_data", Type: "object or null",
		Doc: "`version`, `remote_invalidation`, `send_size`, `receive_size` (bytes); null if the end sent no RFC 8797 private data, or it was not captured"})
	l.structure(Member{Name: "server_private_data", Type: "object or null", Doc: "the same for the server"})
	l.structure(Member{Name: "inline_threshold", Type: "object or null",
		Doc: "`to_server`, `to_client` (bytes), `source`: `\"private-data\"`, `\"default\"` or `\"characteristics\"` (an XCHAR_RBSIZ of version 2); those in force when the record was written; null if the setup is not in the capture"})
	l.member(Member{Name: "rpcrdma_version", Absent: Null, Doc: "null until a message was seen"}, filter.Uint,
		func(c *dissect.Connection) (uint64, bool) { return uint64(c.Version), c.Version != 0 })
	negotiated := func(c *dissect.Connection) bool { _, ok := c.Negotiation(); return ok }
	l.where(negotiated, func() {
		l.structure(Member{Name: "negotiation", Type: "object", Beyond: true,
			Doc: "if a version other than 1 was tried: `tried` (number; null if only its refusal is in the capture), `refused` (boolean; then `vers_low`, `vers_high`: the versions of the peer), `agreed` (number or null)"})
		l.structure(Member{Name: "client_characteristics", Type: "array", Beyond: true,
			Doc: "with `negotiation`: the transport characteristics that the end announced, in order: `{\"frame\", \"by\", \"id\", \"name\", \"value\", \"no_change\"}`; `by` is `\"INIT_XCHAR\"`, `\"RESP_XCHAR\"` or `\"UPD_XCHAR\"`, `value` is as in a message, null if it is not in the capture"})
		l.structure(Member{Name: "server_characteristics", Type: "array", Beyond: true, Doc: "the same for the server"})
	})
}

// addLife adds its first and its last frame, and how it ended.
func addLife(l *list[*dissect.Connection]) {
	l.structure(Member{Name: "first_frame", Type: "number", Doc: "with several files, accompanied by `file` +"})
	l.count(Member{Name: "last_frame", Doc: "the last so far"}, func(c *dissect.Connection) int64 { return c.Last.Number })
	l.string(Member{Name: "end", Doc: "`\"disconnect\"`, `\"terminate\"` (an RDMAP Terminate), `\"reset\"` (rejected, a TCP RST, or replaced by a new connection on the same queue pair or ports), `\"open\"`"},
		func(c *dissect.Connection) string { return c.Closing.String() })
	l.where(func(c *dissect.Connection) bool { return c.Closing == flow.Rejected }, func() {
		l.structure(Member{Name: "reject_reason", Type: "string", Beyond: true, Doc: "of a rejected connection"})
	})
	l.where(func(c *dissect.Connection) bool { return c.Termination != nil }, func() {
		l.string(Member{Name: "terminate", Beyond: true, Doc: "with `end` `\"terminate\"`: names of layer, error type and error code"},
			func(c *dissect.Connection) string { return c.Termination.String() })
		l.structure(Member{Name: "terminated_by", Type: "string", Beyond: true, Doc: "`\"client\"` or `\"server\"`"})
	})
}

// addCounts adds what is counted on it.
func addCounts(l *list[*dissect.Connection]) {
	l.count(Member{Name: "frames", Doc: "so far, as in all fields below"}, func(c *dissect.Connection) int64 { return c.Frames })
	l.count(Member{Name: "bytes", Doc: "on the wire"}, func(c *dissect.Connection) int64 { return c.Bytes })
	l.count(Member{Name: "rpcs", Beyond: true, Doc: "complete or not"}, func(c *dissect.Connection) int64 { return c.RPCs })
	l.count(Member{Name: "retransmissions", Doc: "frames"}, func(c *dissect.Connection) int64 { return c.Retransmissions })
	l.count(Member{Name: "lost_in_capture", Doc: "frames"}, func(c *dissect.Connection) int64 { return c.LostInCapture })
	const guide = "frames, see the [guide](guide.md#loss-and-what-each-note-means)"
	l.count(Member{Name: "lost_on_wire", Beyond: true, Doc: guide}, func(c *dissect.Connection) int64 { return c.LostOnWire })
	l.count(Member{Name: "duplicates", Beyond: true, Doc: guide}, func(c *dissect.Connection) int64 { return c.Duplicates })
	l.count(Member{Name: "reordered", Beyond: true, Doc: guide}, func(c *dissect.Connection) int64 { return c.Reordered })
	l.count(Member{Name: "naks", Beyond: true, Doc: "without RNR NAKs"}, func(c *dissect.Connection) int64 { return c.NAKs })
	l.count(Member{Name: "rnr_naks", Beyond: true, Doc: "the receiver was not ready"}, func(c *dissect.Connection) int64 { return c.RNRs })
	l.count(Member{Name: "bad_crc", Beyond: true, Doc: "FPDUs of iWARP whose CRC is wrong, if the CRC is in use"},
		func(c *dissect.Connection) int64 { return c.BadCRC })
	l.flag(Member{Name: "roles_known", Beyond: true, Doc: "false while it is a guess which end is the client"},
		func(c *dissect.Connection) bool { return c.RolesKnown })
	l.structure(Member{Name: "final", Type: "boolean", Doc: "true in the last record of the connection"})
}
