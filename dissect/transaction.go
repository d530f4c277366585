package dissect

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

const (
	// maxOpen bounds what the unanswered calls of all connections weigh, in bytes;
	// far more than any credit grants come to. The oldest go first, see settling. Each open connection
	// adds eachOpen, so that there is room for a call of every one, however many they are.
	maxOpen  = 8 << 20
	eachOpen = 4 << 10
	// patience is how many frames of its connection an answered RPC waits for
	// parts that are missing, or a reply for its call: the capture may have
	// them out of order.
	patience = 64
)

// called takes a call.
func (d *Dissector) called(m *Message, s *flow.Send) {
	c, xid := m.Connection, m.Header.XID
	key := callKey{xid, s.From}
	if before := c.calls[key]; before != nil {
		d.finish(before, EndedByXID)
	}
	r := d.pool.rpc(c, s.From, xid)
	r.Call, m.rpc = m, r
	r.Call.measureCall()
	r.carried(s.Frames)
	if r.Call.HasRPC {
		c.learnRoles(&r.Call.CallHeader, s.From)
	}
	c.ledger.Now = s.Last
	c.ledger.Advertise(&r.Offer, &r.Call.Header, s.From, r.Call.Frame())
	c.beginRPC(r)
	d.emit(r.Call)
	c.calls[key] = r
	d.push(r)
	// Its reply may have been captured before it.
	for _, early := range c.late {
		if early.Call == nil && early.XID == xid && early.Requester == s.From && c.mayFollow(early.Reply, m) {
			r.Reply, early.Reply = early.Reply, nil
			r.Reply.rpc, r.Reply.bodyState = r, bodyUnknown
			r.timing.stage = replied // before it began
			r.carried(early.Frames)
			c.late = slices.DeleteFunc(c.late, func(x *RPC) bool { return x == early })
			d.recycle(early)
			d.finishReply(r)
			return
		}
	}
}

// learnRoles settles who is the client by what is called.
func (c *Connection) learnRoles(call *rpc.Call, from flow.End) {
	switch {
	case c.RolesKnown:
	case call.Program == rpc.ProgramNFSCallback:
		c.SetClient(from.Peer())
	case rpc.ProgramName(call.Program) != "":
		c.SetClient(from)
	}
}

// answered takes a reply or an RDMA_ERROR.
func (d *Dissector) answered(m *Message, s *flow.Send) {
	c, xid, requester := m.Connection, m.Header.XID, s.From.Peer()
	r := c.calls[callKey{xid, requester}]
	if r == nil || c.toFormer(m, r) {
		r = d.pool.rpc(c, requester, xid)
		if !c.RolesKnown {
			c.ClientEnd = requester // a guess, until a call says more
		}
	}
	r.Reply, m.rpc = m, r
	if c := r.CallHeader(); c != nil {
		r.Reply.asked, r.Reply.hasAsked = *c, true
	}
	r.Reply.measureReply()
	r.carried(s.Frames)
	if requester == c.ClientEnd {
		c.giveCredit(m)
	}
	if r.Call != nil {
		r.replies()
		d.deduct(r)
		c.history.answer(r)
		r.endOffer(r.Reply)
	}
	d.emit(r.Reply)
	d.finishReply(r)
}

// finishReply ends an answered RPC if nothing of it is missing, and otherwise lets
// it wait.
func (d *Dissector) finishReply(r *RPC) {
	c := r.Connection
	if r.open.Value != nil {
		d.remove(r)
	}
	r.assess()
	if r.Complete {
		d.hold(r)
		return
	}
	r.due = c.Frames + patience
	c.late = append(c.late, r)
}

// finish reports an RPC and forgets it; why is that it has no answer.
func (d *Dissector) finish(r *RPC, why Ended) {
	c := r.Connection
	if r.open.Value != nil {
		d.remove(r)
	}
	c.waitsNoMore(r)
	if !r.Complete {
		r.assess()
	}
	if d.letGo && r.begunBefore() {
		d.abandon(r)
		return
	}
	if r.unsorted {
		slices.SortFunc(r.Frames, flow.Ref.Compare)
		r.Frames, r.unsorted = slices.Compact(r.Frames), false
	}
	if r.Call != nil {
		r.endOffer(cmp.Or(r.Reply, r.Call))
		r.weighReply()
	}
	if h := r.CallHeader(); h != nil && h.Protected() {
		c.Protected++
	}
	c.RPCs++
	c.history.over(r, c.RPCs, why)
	d.sum.RPCs++
	if !r.Complete {
		d.sum.IncompleteRPCs++
	}
	d.announce(c)
	d.sink.RPC(r)
	d.recycle(r)
}

// endOffer notes that the memory which the call advertised may be used no more since a
// message: its reply, or if there is none the call itself.
func (r *RPC) endOffer(m *Message) {
	how := rpcrdma.Replied
	switch {
	case m == r.Call:
		how = rpcrdma.Forgotten
	case m.Header.Proc == rpcrdma.RDMAError:
		how = rpcrdma.Failed
	}
	r.Connection.ledger.End(&r.Offer, how, m.Frame(), m.Last)
}

// recycle forgets an RPC that is over.
func (d *Dissector) recycle(r *RPC) {
	r.Connection.ledger.Expire(&r.Offer)
	for _, m := range [...]*Message{r.Call, r.Reply, r.Untaken} {
		if m != nil {
			d.pool.drop(m)
		}
	}
	d.pool.over(r)
}

// assess decides whether all of the RPC is in the capture, and decodes long
// messages that are.
func (r *RPC) assess() {
	r.Missing = r.whatIsMissing()
	r.Complete = r.Missing == ""
	if m := r.Call; m != nil && m.Transfer == Long && !m.HasRPC {
		b := r.Offer.LongCall[:min(uint64(len(r.Offer.LongCall)), r.Offer.Front(rpcrdma.ForRead))]
		m.CallHeader.Decode(b)
		_, lacks := rpc.LacksXID(b, r.XID)
		m.HasRPC, m.bodyState = !lacks && callKnown(&m.CallHeader), bodyUnknown
		if m.HasRPC {
			r.Connection.learnRoles(&m.CallHeader, r.Requester)
		}
	}
	if m := r.Reply; m != nil && m.Transfer == Long && !m.HasRPC {
		b := r.Offer.LongReply[:min(uint64(len(r.Offer.LongReply)), r.Offer.Front(rpcrdma.ForReply))]
		m.ReplyHeader.Decode(b)
		_, lacks := rpc.LacksXID(b, r.XID)
		m.HasRPC, m.bodyState = !lacks && !m.ReplyHeader.Fault.Bad(), bodyUnknown
	}
}

// whatIsMissing names the first part of the RPC that is not in the capture, ""
// if it is all there.
func (r *RPC) whatIsMissing() string {
	switch {
	case r.Call == nil:
		return "the call is not in the capture"
	case r.Reply == nil:
		return "no reply in the capture"
	case r.repeated():
		return "its reply may belong to another call with the same XID"
	case !r.Connection.RolesKnown && r.Connection.Setup == flow.SetupInferred && r.CallHeader() == nil:
		return "which end is the client is not known"
	case !r.Call.Whole:
		return "call: " + r.Call.Missing
	case !r.Reply.Whole:
		return "reply: " + r.Reply.Missing
	}
	if r.Call.Header.Fault.Bad() || r.Reply.Header.Fault.Bad() {
		return "" // it is all there, and malformed
	}
	answered, all := r.Offer.Pulled()
	if !answered || !all && (r.Call.Transfer == Long || r.Connection.gapped()) && r.Reply.Header.Proc != rpcrdma.RDMAError {
		if answered {
			return "no RDMA Read in the capture requests all of the call"
		}
		return "RDMA Read data of the call is not in the capture"
	}
	h := &r.Reply.Header
	for i, chunk := range h.Writes {
		if !r.Offer.Placed(rpcrdma.ForWrite, i, h.ChunkSegments(chunk)) && !r.LacksOnlyPad(i) {
			return "RDMA Write data of a Write chunk is not in the capture"
		}
	}
	if h.HasReply && h.Proc == rpcrdma.RDMANoMsg && !r.Offer.Placed(rpcrdma.ForReply, 0, h.ChunkSegments(h.Reply)) {
		return "RDMA Write data of the Reply chunk is not in the capture"
	}
	return ""
}

// LacksOnlyPad reports whether the reply returned more bytes of a Write chunk than the RDMA Writes
// in the capture have, and what they lack is only the pad of the chunk's item: the responder rounded
// the length up. Where the item cannot be decoded, the last bytes of a length that is a multiple of
// 4 are taken for its pad.
func (r *RPC) LacksOnlyPad(chunk int) bool {
	h := &r.Reply.Header
	returned := h.ChunkLength(h.Writes[chunk])
	if returned == 0 || returned%xdr.WordSize != 0 {
		return false
	}
	item := returned - (xdr.WordSize - 1)
	if b := r.Reply.Body(); b != nil {
		for i := range b.Events {
			if e := &b.Events[i]; e.Kind == walk.Item && int(e.Chunk) == chunk {
				item = uint64(e.Length)
				break
			}
		}
	}
	if item == returned || xdr.Padded(item) != returned {
		return false
	}
	segments := h.ChunkSegments(h.Writes[chunk])
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if g.Purpose != rpcrdma.ForWrite || g.Chunk != chunk {
			continue
		}
		if len(segments) == 0 {
			break
		}
		if g.Start < item && !g.Seen.Covers(0, min(uint64(segments[0].Length), item-g.Start)) {
			return false
		}
		segments = segments[1:]
	}
	return len(segments) == 0
}

// repeated reports whether this may be the reply to another call with the XID: to a former one that
// had no answer or, where it is an error, after which calls are retransmitted under their XID, to one
// that the capture lacks. An acknowledgement of the call before the reply tells, but where the
// capture is out of order, that too may stand in the wrong place.
func (r *RPC) repeated() bool {
	c := r.Connection
	switch former := c.history.LeftUnanswered(r) != nil; {
	case former && c.outOfOrder():
		return true
	case former, r.Reply.Header.Proc == rpcrdma.RDMAError && (c.Holes > 0 || c.LostInCapture > 0):
		return c.Precedes(&r.Call.Point, &r.Reply.Point) != flow.Yes
	}
	return false
}

// toFormer reports whether an answer is to a former call with the XID of an open one, which was
// captured after it.
func (c *Connection) toFormer(answer *Message, open *RPC) bool {
	a, b := answer.Frame(), open.Call.Frame()
	return a.File == b.File && a.Number < b.Number && !c.outOfOrder() && c.history.LeftUnanswered(open) != nil
}

// mayFollow reports whether an answer that was told before a call may be to that: the call
// was captured before it, or the capture may be out of order and nothing says otherwise.
func (c *Connection) mayFollow(answer, call *Message) bool {
	a, b := answer.Frame(), call.Frame()
	if a.File != b.File || b.Number < a.Number {
		return true
	}
	lost := c.HolesOf(call.From) > 0 || c.GapOf(call.From) // the call that it answers may be missing
	return (c.outOfOrder() || !lost) && c.Precedes(&call.Point, &answer.Point) != flow.No
}

// outOfOrder reports whether the capture is known not to have the frames of the connection in
// the order in which they were sent.
func (c *Connection) outOfOrder() bool { return c.Reordered > 0 || c.Skewed > 0 || c.Mixed }

// gapped reports whether frames that the connection carried may be missing, or may have
// come where nobody knew what they were for: a Read before its call, or after the reply.
func (c *Connection) gapped() bool {
	return c.Setup == flow.SetupInferred || c.LostInCapture > 0 || c.Holes > 0 || c.Cut > 0 || c.OneWay() || c.Unread || c.outOfOrder()
}
