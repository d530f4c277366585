package query

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/filter"
)

// rpcs is the table of what there is to say of an RPC, but for the fields of the texts.
func rpcs(specs []*types.Spec, start *Start) (l list[*dissect.RPC]) {
	addOperations(&l, specs)
	addStatus(&l, specs)
	addStructures(&l)
	addOutcome(&l)
	addCall(&l, specs)
	addSizes(&l)
	addRefs(&l, "of a frame that carried a part of it", func(r *dissect.RPC) []flow.Ref { return r.Frames })
	addMessageFrames(&l)
	addTimes(&l, start, "when its first frame was captured", (*dissect.RPC).Start).cell(column("start"))
	addEnds(&l, func(r *dissect.RPC) (*dissect.Connection, flow.End) { return r.Connection, r.Requester })
	addDirection(&l, "where the call goes", func(r *dissect.RPC) (server, ok bool) { return !r.Reverse(), true }).
		cell(column("reverse"))
	addMessages(&l)
	return l
}

// addMessageFrames adds the frames that end the two messages: where to look in the capture.
func addMessageFrames(l *list[*dissect.RPC]) {
	frame := func(name, title, doc string, of func(*dissect.RPC) *dissect.Message) {
		l.addField(filter.Field{Name: "rpc." + name, Kind: filter.Uint, Doc: doc}, func(r *dissect.RPC, to *filter.Values) {
			if m := of(r); m != nil {
				to.Uint(uint64(m.Frame().Number))
			}
		}).titled(title).cell(Cell{Form: List, Near: true}).in(Member{Name: name, Part: Captured, Absent: LeftOut, Beyond: true})
	}
	frame("call_frame", "Call frame", "number of the last frame of the call", func(r *dissect.RPC) *dissect.Message { return r.Call })
	frame("reply_frame", "Reply frame", "number of the last frame of the reply", func(r *dissect.RPC) *dissect.Message { return r.Reply })
}

// addStructures adds members of records that have members of their own.
func addStructures(l *list[*dissect.RPC]) {
	structure := func(part Part, name, kind, doc string) {
		l.structure(Member{Name: name, Part: part, Type: kind, Doc: doc})
	}
	l.structure(Member{Name: "connection", Asked: "connection", Part: Identity, Type: "number", Doc: "number of its connection"})
	structure(BothMessages, "call", "object or null", "the fields of a message without `type`, and `rpc_length`, `transfer`; null if not in the capture")
	structure(BothMessages, "reply", "object or null", "the same")
	l.string(Member{Name: "nfs_status", Part: Answer, Absent: Empty,
		Doc: "of the program: `\"NFS3_OK\"`, `\"NFS4ERR_NOENT\"`, …; `\"\"` without a result, or if it has none"},
		func(r *dissect.RPC) string {
			name, _ := r.Status()
			return name
		})
	structure(Answer, "ops", "array", "`{\"op\", \"status\"}`: the operations of a COMPOUND, one for any other procedure; `status` is `\"\"` for one that is not in the result")
	structure(Answer, "summary", "string", "one readable line")
	l.structure(Member{Name: "frames", Asked: "frame.number", Part: Captured, Type: "array", Doc: "all frames that carried any part of it"})
}

// addOutcome adds what the two messages make together.
func addOutcome(l *list[*dissect.RPC]) {
	l.addField(filter.Field{Name: "rpc.latency", Kind: filter.Duration, Doc: "from the last frame of the call to the first frame of the reply"},
		func(r *dissect.RPC, to *filter.Values) {
			if ns, ok := r.Latency(); ok {
				to.Duration(time.Duration(ns))
			}
		}).cell(optional("latency", -1)).in(Member{Name: "latency_ns", Part: Timing, Absent: Null})
	addPhases(l)
	l.addField(filter.Field{Name: "rpc.complete", Kind: filter.Bool, Doc: "all of it is in the capture"},
		func(r *dissect.RPC, to *filter.Values) { to.Bool(r.Complete) }).
		cell(column("complete")).in(Member{Name: "complete", Part: Captured, Doc: "false if some part is not in the capture"})
	l.addField(filter.Field{Name: "rpc.missing", Kind: filter.String, Doc: "the first part of it that is not in the capture"},
		func(r *dissect.RPC, to *filter.Values) {
			if r.Missing != "" {
				to.String(r.Missing)
			}
		}).cell(Cell{Form: Name, Column: "missing", HasNone: true}).
		in(Member{Name: "missing", Part: Captured, Absent: LeftOut, Beyond: true, Doc: "what is missing, if `complete` is false"})
	l.addField(filter.Field{Name: "rpc.unheard", Kind: filter.Enum, Names: named(dissect.Refused, dissect.Abandoned),
		Doc: "why a reply in the capture is not an answer: its receiver refused it, or it was retransmitted until the connection ended and never acknowledged"},
		func(r *dissect.RPC, to *filter.Values) {
			if r.WhyNotTaken != dissect.NotKnownUntaken {
				to.Uint(uint64(r.WhyNotTaken))
			}
		}).spelled(func(v uint64) string { return dissect.WhyNotTaken(v).String() }).
		in(Member{Name: "unheard", Part: Captured, Absent: LeftOut, Beyond: true, Doc: "why a reply that is in the capture is not an answer, and `reply` is null: `refused` by its receiver, or `abandoned`, that is, retransmitted until the connection ended and never acknowledged"})
	addReply(l)
}

// addSizes adds lengths, and how messages travelled.
func addSizes(l *list[*dissect.RPC]) {
	call := func(r *dissect.RPC) *dissect.Message { return r.Call }
	reply := func(r *dissect.RPC) *dissect.Message { return r.Reply }
	length := func(name, doc string, of func(*dissect.RPC) *dissect.Message) *Field {
		return l.addField(filter.Field{Name: name, Kind: filter.Uint, Doc: doc}, func(r *dissect.RPC, to *filter.Values) {
			if m := of(r); m != nil && m.RPCLength > 0 {
				to.Uint(m.RPCLength)
			}
		}).ofUnit(Bytes)
	}
	length("rpc.call.length", "bytes of the call as the server's upper layer saw it, with chunks put back in place", call).
		titled("Call [B]").cell(optional("call_length", -1))
	length("rpc.reply.length", "bytes of the reply as the client's upper layer saw it, with chunks put back in place", reply).
		titled("Reply [B]").cell(optional("reply_length", -1))
	transfer := func(name, doc string, of ...func(*dissect.RPC) *dissect.Message) {
		l.addField(filter.Field{Name: name, Kind: filter.Enum, Names: named(upTo(dissect.Long)...), Doc: doc}, func(r *dissect.RPC, to *filter.Values) {
			for _, message := range of {
				if m := message(r); m != nil {
					to.Uint(uint64(m.Transfer))
				}
			}
		}).cell(set())
	}
	transfer("rpc.transfer", "how call and reply travelled", call, reply)
	transfer("rpc.call.transfer", "how the call travelled", call)
	transfer("rpc.reply.transfer", "how the reply travelled", reply)
	moved := func(name, title, member, cells, doc string, of func(*dissect.RPC) uint64) {
		l.addField(filter.Field{Name: name, Kind: filter.Uint, Doc: doc}, func(r *dissect.RPC, to *filter.Values) { to.Uint(of(r)) }).
			ofUnit(Bytes).titled(title).cell(column(cells)).in(Member{Name: member, Part: Moved})
	}
	moved("rpc.rdma_read_bytes", "Read [B]", "rdma_read_bytes", "read_bytes", "bytes that RDMA Reads moved for it",
		func(r *dissect.RPC) uint64 { return r.Offer.ReadBytes })
	moved("rpc.rdma_write_bytes", "Written [B]", "rdma_write_bytes", "write_bytes", "bytes that RDMA Writes moved for it",
		func(r *dissect.RPC) uint64 { return r.Offer.WriteBytes })
}
