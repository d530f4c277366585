package requester

import (
	"bytes"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// compare notes what of a reply is not as captured: first what answered the call, then
// statuses, then the shape of chunks, their lengths and data, then the fields of the result.
func (r *run) compare(e *Exchange, a *answer) {
	live := describe(a.header, a.bytes)
	if e.Call.Reply == nil {
		e.Status = r.status(e, a)
		e.Notes = append(e.Notes, "the capture has no reply to compare with")
		return
	}
	data, made := e.Call.Result()
	captured := describe(&e.Call.Reply.Header, data)
	if e.Call.Failed() {
		captured = describe(&e.Call.Reply.Header, nil)
	}
	e.Status = live
	if captured != live {
		e.isAnother("status", captured, live)
		return // nothing after it can be compared
	}
	if a.header.Proc == rpcrdma.RDMAError || live != rpc.Success.String() {
		return
	}
	if !r.compareStatuses(e, a, data) {
		return // what is behind differs for that reason
	}
	before := capturedReply(e)
	fields := r.o.Compare != nil && before != nil && made == 0
	longer := len(a.bytes) - len(data)
	e.compareShape(a, fields && longer != 0 && r.o.Compare.Longer(*before, a.message(e)) == longer)
	for _, d := range a.data {
		e.differs(d)
	}
	if fields {
		list, more := r.o.Compare.Compare(*before, a.message(e))
		for _, d := range list {
			e.differs(Difference{d.Path, d.Key, d.Captured, d.Live})
		}
		e.More += more
	}
}

// maxDifferences is how many differences are kept of one call.
const maxDifferences = 64

func (e *Exchange) differs(d Difference) {
	if len(e.Differences) == maxDifferences {
		e.More++
		return
	}
	e.Differences = append(e.Differences, d)
}

// isAnother notes a difference that is of no field.
func (e *Exchange) isAnother(what, captured, live string) {
	e.differs(Difference{What: what, Captured: captured, Live: live})
}

// describe says with what a message answers a call: the error of an RDMA_ERROR, or the status
// of RPC.
func describe(h *rpcrdma.Header, data []byte) string {
	if h.Fault.Bad() {
		return "a malformed header: " + h.Fault.Reason
	}
	if h.Proc == rpcrdma.RDMAError {
		return h.ProcName() + " " + h.ErrorName()
	}
	var reply rpc.Reply
	reply.Decode(data)
	if reply.Fault.Bad() {
		return "a malformed reply: " + reply.Fault.Reason
	}
	status := reply.Status()
	if reply.Denied && reply.Reject == rpc.AuthError {
		status += " " + reply.Auth.String()
	}
	return status
}

// status is that of the program, or else that of RPC.
func (r *run) status(e *Exchange, a *answer) string {
	live := describe(a.header, a.bytes)
	if body := r.o.Bindings.Results(&e.Call.Header, e.Call.Reverse, a.bytes, a.lengths); body != nil {
		if status, _ := body.Statuses(); status != "" {
			return status
		}
	}
	return live
}

// compareStatuses compares the statuses of the program and of its operations.
func (r *run) compareStatuses(e *Exchange, a *answer, captured []byte) (same bool) {
	was := r.o.Bindings.Results(&e.Call.Header, e.Call.Reverse, captured, returnedLengths(&e.Call.Reply.Header))
	is := r.o.Bindings.Results(&e.Call.Header, e.Call.Reverse, a.bytes, a.lengths)
	if was == nil || is == nil {
		return true // of a program that nothing describes
	}
	before, ops := was.Statuses()
	now, liveOps := is.Statuses()
	if now != "" {
		e.Status = now
	}
	if before == now && len(ops) == len(liveOps) {
		return true
	}
	for i := range max(len(ops), len(liveOps)) {
		b, n := operation(ops, i), operation(liveOps, i)
		if b.Name == n.Name && b.Status == n.Status {
			continue
		}
		name := b.Name
		if name == "" {
			name = n.Name
		}
		e.isAnother(name, statusOf(b), statusOf(n))
		if waiting(b.Status) && n.OK {
			e.Notes = append(e.Notes, "the captured server asked to wait ("+b.Status+"), and the live one did not")
		}
		return false // those after it differ for that reason
	}
	e.isAnother("status", before, now)
	return false
}

// operation is the i-th operation, the zero Op if there is none.
func operation(ops []dissect.Op, i int) dissect.Op {
	if i < len(ops) {
		return ops[i]
	}
	return dissect.Op{}
}

// waiting reports whether a status asks to call again later (RFC 1813, section 2.6; RFC 7530,
// section 13.1.1.3 and 13.1.9.1).
func waiting(status string) bool {
	return status == "NFS4ERR_GRACE" || status == "NFS4ERR_DELAY" || status == "NFS3ERR_JUKEBOX"
}

// statusOf is the status of an operation.
func statusOf(o dissect.Op) string {
	if o.Name == "" {
		return "not done"
	}
	return o.Status
}

// compareShape compares by what the reply travelled: inline or by chunks, and how long. Where its length
// is explained, by fields that are left out, neither that counts nor what follows from it.
func (e *Exchange) compareShape(a *answer, explained bool) {
	was, is := &e.Call.Reply.Header, a.header
	if was.Proc != is.Proc && !explained {
		e.isAnother("transfer", was.ProcName(), is.ProcName())
	}
	if len(was.Writes) != len(is.Writes) {
		e.isAnother("Write chunks", fmt.Sprint(len(was.Writes)), fmt.Sprint(len(is.Writes)))
	}
	if was.HasReply != is.HasReply {
		e.isAnother("Reply chunk", present(was.HasReply), present(is.HasReply))
	}
	for i := range min(len(was.Writes), len(is.Writes)) {
		if w, n := was.WriteLength(i), is.WriteLength(i); w != n {
			e.isAnother("length of "+rpcrdma.WriteChunkName(i), fmt.Sprint(w), fmt.Sprint(n))
		}
	}
	if explained {
		return
	}
	if was.HasReply && is.HasReply {
		if w, n := was.ChunkLength(was.Reply), is.ChunkLength(is.Reply); w != n {
			e.isAnother("length of Reply chunk", fmt.Sprint(w), fmt.Sprint(n))
		}
	} else if w, n := inlineLength(e, was), len(a.bytes); !was.HasReply && !is.HasReply && w != n {
		e.isAnother("length of the reply", fmt.Sprint(w), fmt.Sprint(n))
	}
}

func inlineLength(e *Exchange, h *rpcrdma.Header) int { return e.Call.Reply.Length - h.Length }

// present says whether there is a Reply chunk.
func present(is bool) string {
	if is {
		return "present"
	}
	return "absent"
}

// compareData compares what was written into Write chunks, as far as it was captured.
func (e *Exchange) compareData(h *rpcrdma.Header) (list []Difference) {
	if e.Call.Reply == nil {
		return nil
	}
	for i := range min(len(e.Call.Reply.Header.Writes), len(h.Writes)) {
		if made, _ := e.Call.Lacking(rpcrdma.ForWrite, i); made > 0 {
			continue
		}
		was, _ := e.Call.Returned(rpcrdma.ForWrite, i)
		if is := e.written(rpcrdma.ForWrite, i, h.ChunkSegments(h.Writes[i])); len(was) == len(is) && !bytes.Equal(was, is) {
			at := firstDifference(was, is)
			list = append(list, Difference{What: "data of " + rpcrdma.WriteChunkName(i), Captured: fmt.Sprintf("%#02x at byte %d", was[at], at), Live: fmt.Sprintf("%#02x", is[at])})
		}
	}
	return list
}

// firstDifference is the index of the first byte that differs.
func firstDifference(a, b []byte) (at int) {
	for at < len(a) && a[at] == b[at] {
		at++
	}
	return at
}
