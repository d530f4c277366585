package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/filter"
)

// procNames are the names of rdma_proc in both versions.
func procNames(yield func(string, uint64) bool) {
	for _, h := range [...]rpcrdma.Header{
		{Version: 1, Proc: rpcrdma.RDMAMsg}, {Version: 1, Proc: rpcrdma.RDMANoMsg}, {Version: 1, Proc: rpcrdma.RDMAMsgP},
		{Version: 1, Proc: rpcrdma.RDMADone}, {Version: 1, Proc: rpcrdma.RDMAError},
		{Version: 2, Proc: rpcrdma.RDMAMsg}, {Version: 2, Proc: rpcrdma.RDMANoMsg},
		{Version: 2, Proc: rpcrdma.RDMAError}, {Version: 2, Proc: rpcrdma.RDMA2Optional},
	} {
		if !yield(h.ProcName(), uint64(h.Proc)) {
			return
		}
	}
}

// errorNames are the names of rdma_err in both versions.
func errorNames(yield func(string, uint64) bool) {
	for _, h := range [...]rpcrdma.Header{
		{Version: 1, Error: rpcrdma.ErrVers}, {Version: 1, Error: rpcrdma.ErrChunk},
		{Version: 2, Error: rpcrdma.ErrVers}, {Version: 2, Error: rpcrdma.Err2BadXDR}, {Version: 2, Error: rpcrdma.Err2CantReply},
		{Version: 2, Error: rpcrdma.Err2InvalidProc}, {Version: 2, Error: rpcrdma.Err2InvalidOption},
	} {
		if !yield(h.ErrorName(), uint64(h.Error)) {
			return
		}
	}
}

// processed is a field that is true or false, and only of a reply.
const processed = "rdma.processed"

// addVersion2 adds what only the headers of version 2 have.
func addVersion2(l *list[*dissect.Message]) {
	l.where(func(m *dissect.Message) bool { return m.Header.Version == rpcrdma.Version2 }, func() { addFixed2(l) })
	lacking := func(name, doc string, kind filter.Kind, give func(*rpcrdma.Header, *filter.Values)) {
		l.addField(filter.Field{Name: name, Kind: kind, Doc: doc}, func(m *dissect.Message, to *filter.Values) {
			h := &m.Header
			if h.Version == rpcrdma.Version2 && h.Proc == rpcrdma.RDMAError && h.Error == rpcrdma.Err2CantReply && !h.Fault.Bad() {
				give(h, to)
			}
		})
	}
	lacking(processed, "with RDMA2_ERR_CANT_REPLY: the request was processed", filter.Bool,
		func(h *rpcrdma.Header, to *filter.Values) { to.Bool(h.Processed) })
	lacking("rdma.segment_index", "with RDMA2_ERR_CANT_REPLY: the first segment that is too short, from 1, or 0", filter.Uint,
		func(h *rpcrdma.Header, to *filter.Values) { to.Uint(uint64(h.SegmentIndex)) })
	lacking("rdma.length_needed", "with RDMA2_ERR_CANT_REPLY: bytes needed in that segment", filter.Uint,
		func(h *rpcrdma.Header, to *filter.Values) { to.Uint(uint64(h.LengthNeeded)) })
}

// addFixed2 adds the words that follow the fixed ones in all of them, and options.
func addFixed2(l *list[*dissect.Message]) {
	l.addField(filter.Field{Name: "rdma.direction", Kind: filter.Enum, Names: named(upTo(rpcrdma.DirectionReply)...), Doc: "rdma_direction or rdma_optdir of version 2; for an RDMA2_ERROR always REPLY"},
		func(m *dissect.Message, to *filter.Values) {
			if h := &m.Header; h.Directed() || h.Version == rpcrdma.Version2 && h.Length > rpcrdma.FixedSize {
				to.Uint(uint64(h.Direction))
			}
		}).spelled(func(v uint64) string { return rpcrdma.Direction(v).String() }).
		in(Member{Name: "rdma_direction", Absent: Null, Doc: "version 2 only: `\"CALL\"` or `\"REPLY\"`, for an RDMA2_ERROR always the latter; `\"rdma_direction 7\"` if the header is malformed because of it"})
	l.addField(filter.Field{Name: "rdma.inv_handle", Kind: filter.Uint, Doc: "rdma_inv_handle of version 2: the handle that the reply may invalidate, or 0"},
		func(m *dissect.Message, to *filter.Values) {
			const end = rpcrdma.FixedSize + 8
			if h := &m.Header; h.Version == rpcrdma.Version2 && h.Length >= end && (h.Proc == rpcrdma.RDMAMsg || h.Proc == rpcrdma.RDMANoMsg) {
				to.Uint(uint64(h.InvHandle))
			}
		}).ofUnit(Handle).in(Member{Name: "inv_handle", Absent: Null, Doc: "version 2 only: `rdma_inv_handle`, null if the header has none"})
	l.structure(Member{Name: "option", Type: "object or null", Doc: "version 2 only: contents of an RDMA2_OPTIONAL, see below"})
}

// optionFields are what an RDMA2_OPTIONAL has. RPCs have none.
func optionFields() (l list[*dissect.Message]) {
	add := func(f filter.Field, give func(*rpcrdma.Option, *filter.Values)) {
		l.addField(f, func(m *dissect.Message, to *filter.Values) {
			if o := m.Header.Option(); o != nil && o.Start > 0 {
				give(o, to)
			}
		})
	}
	types := named(rpcrdma.InitXchar, rpcrdma.ReqXchar, rpcrdma.RespXchar, rpcrdma.UpdXchar)
	add(filter.Field{Name: "rdma.option", Kind: filter.Enum, Names: types, Doc: "rdma_opttype of an RDMA2_OPTIONAL"},
		func(o *rpcrdma.Option, to *filter.Values) { to.Uint(uint64(o.Type)) })
	ids := named(rpcrdma.XcharRBSIZ, rpcrdma.XcharRQREMINV, rpcrdma.XcharBRS)
	add(filter.Field{Name: "rdma.xchar", Kind: filter.Enum, Names: ids, Doc: "transport characteristic in it"},
		func(o *rpcrdma.Option, to *filter.Values) {
			for _, x := range o.Characteristics {
				to.Uint(uint64(x.ID))
			}
		})
	value := func(f filter.Field, id rpcrdma.CharacteristicID, give func(uint32, *filter.Values)) {
		add(f, func(o *rpcrdma.Option, to *filter.Values) {
			for _, x := range o.Characteristics {
				if x.ID == id && x.Decoded {
					give(x.Value, to)
				}
			}
		})
	}
	value(filter.Field{Name: "rdma.xchar.rbsiz", Kind: filter.Uint, Doc: "XCHAR_RBSIZ: Receive Buffer Size, bytes"}, rpcrdma.XcharRBSIZ,
		func(v uint32, to *filter.Values) { to.Uint(uint64(v)) })
	value(filter.Field{Name: "rdma.xchar.rqreminv", Kind: filter.Bool, Doc: "XCHAR_RQREMINV: Requester Remote Invalidation"}, rpcrdma.XcharRQREMINV,
		func(v uint32, to *filter.Values) { to.Bool(v == 1) })
	value(filter.Field{Name: "rdma.xchar.brs", Kind: filter.Enum, Names: named(upTo(rpcrdma.ReverseGeneral)...), Doc: "XCHAR_BRS: Backward Request Support"}, rpcrdma.XcharBRS,
		func(v uint32, to *filter.Values) { to.Uint(uint64(v)) })
	subset := func(name, doc string, of func(*rpcrdma.Option) rpcrdma.Subset) {
		add(filter.Field{Name: name, Kind: filter.Uint, Doc: doc}, func(o *rpcrdma.Option, to *filter.Values) {
			o.Elements(of(o), func(n int) bool {
				to.Uint(uint64(n))
				return !to.Done()
			})
		})
	}
	subset("rdma.no_change", "of an INIT_XCHAR: characteristic that will not change, by its index from 0", func(o *rpcrdma.Option) rpcrdma.Subset { return o.NoChange })
	subset("rdma.done", "of a RESP_XCHAR: requested characteristic that was changed, by its index from 0", func(o *rpcrdma.Option) rpcrdma.Subset { return o.Done })
	subset("rdma.rejected", "of a RESP_XCHAR: one that will not be", func(o *rpcrdma.Option) rpcrdma.Subset { return o.Rejected })
	subset("rdma.pending", "of a RESP_XCHAR: one that may be later", func(o *rpcrdma.Option) rpcrdma.Subset { return o.Pending })
	add(filter.Field{Name: "rdma.pending_clear", Kind: filter.Bool, Doc: "of an UPD_XCHAR: a request for it is no longer pending"},
		func(o *rpcrdma.Option, to *filter.Values) {
			if o.Type == rpcrdma.UpdXchar {
				to.Bool(o.PendingClear)
			}
		})
	return l
}
