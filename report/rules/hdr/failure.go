package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A failure is what an RDMA_ERROR says.
type failure struct {
	version   uint32 // of the header, in which the code means something
	code      rpcrdma.ErrorCode
	low, high uint32 // with ERR_VERS
}

// String is the error's name and what comes with it.
func (f failure) String() string {
	if f.code == rpcrdma.ErrVers {
		return f.name() + " (" + rules.Versions(f.low, f.high) + ")"
	}
	return f.name()
}

// name is the name of the error in its version.
func (f failure) name() string {
	h := rpcrdma.Header{Version: f.version, Error: f.code}
	return h.ErrorName()
}

// failureOf reads an RDMA_ERROR; not ok if the message is none, or says nothing
// that is defined. The error for a message of another version has that version too
// (RFC 8166, section 4.5) and is laid out the same. Of such a one it can be read
// while a Sink receives the message.
func failureOf(m *dissect.Message) (f failure, ok bool) {
	h := &m.Header
	switch {
	case h.Proc != rpcrdma.RDMAError || !fixed(m):
		return f, false
	case !h.Fault.Bad():
		return failure{h.Version, h.Error, h.VersLow, h.VersHigh}, true
	case h.Version == rpcrdma.Version1 || h.Version == rpcrdma.Version2:
		return f, false
	}
	b := m.Raw()
	code, ok := xdr.WordAt(b, rpcrdma.AtError)
	f.version, f.code = h.Version, rpcrdma.ErrorCode(code)
	if f.code == rpcrdma.ErrVers {
		var okLow, okHigh bool
		f.low, okLow = xdr.WordAt(b, rpcrdma.AtError+xdr.WordSize)
		f.high, okHigh = xdr.WordAt(b, rpcrdma.AtError+2*xdr.WordSize)
		ok = okLow && okHigh
	}
	return f, ok && (f.code == rpcrdma.ErrVers || f.code == rpcrdma.ErrChunk)
}

// advice is what to do about an RDMA_ERROR that nothing else explains, "" for the document's: what its
// code and the chunks of its call leave open.
func (x *refused) advice() string {
	chunks := x.reads > 0 || x.writes > 0 || x.reply
	if x.failure.code == rpcrdma.ErrVers {
		if x.note {
			return "Nothing needs to be done if the requester continues with a version that the responder supports. If it does not, look at how it handles an ERR_VERS."
		}
		return "Make the requester use a version that the responder supports, or update the responder."
	}
	if x.failure.version != rpcrdma.Version2 {
		if x.sound && !chunks {
			return "The call has no chunks: check whether its reply needs a Reply chunk, and what the responder's log says about its header."
		}
		return ""
	}
	switch x.failure.code {
	case rpcrdma.Err2InvalidProc:
		return "The responder does not support the procedure: make the requester do without it."
	case rpcrdma.Err2InvalidOption:
		return "The responder does not support the option: make the requester do without it."
	case rpcrdma.Err2BadXDR:
		return "Compare the requester's message with the XDR of its header, and look in the responder's log for the item that it could not decode."
	case rpcrdma.Err2CantReply:
		if x.sound && !chunks {
			return "The call has no chunks: check whether its reply is longer than the responder may send inline; if it is, make the client offer a Reply chunk. Otherwise look in the responder's log."
		}
		return "Compare the room of the Write chunks and the Reply chunk with the longest reply: rdma_segment_index says which segment is too short, and rdma_length_needed how long it must be."
	}
	return ""
}
