package credit

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A kind says what an event is.
type kind uint8

const (
	called   kind = iota // a call
	answered             // a reply or an RDMA_ERROR
	stray                // another message, which belongs to no RPC
	refused              // a receiver said that it has no receive published for a Send
	kinds
)

// An event is something that matters for flow control.
type event struct {
	kind kind
	// class is what it is for the rules, once they are told.
	class rules.Class
	// from is the end that sent it.
	from         flow.End
	xid, credits uint32
	version      uint32 // of the header
	failed       bool   // an answer that is an RDMA_ERROR
	// It counts from the last frame of a call, the first of an answer; frame is the last.
	flow.Moment
	frame flow.Ref
	// place is that of rdma_credit, or of the syndrome that refuses.
	place flow.Place

	// point is where an answer lies in what its end sent.
	point flow.Point
	// matched says of an answer that its call was open; again of a call that one
	// of its XID was; formerly is what was granted before an answer, 0 if nothing
	// was, or nobody knows.
	matched, again bool
	formerly       uint32
	// ready says of a call what it tells about callbacks, nfs4 that it is one of NFS
	// version 4.
	ready readiness
	nfs4  bool
	// had is the newest of the peer's numbers that its sender had acknowledged, if heard,
	// whichever the capture has first.
	had      uint32
	answered bool
}
