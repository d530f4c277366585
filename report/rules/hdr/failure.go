package hdr

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
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
		return fmt.Sprintf("%s (versions %d to %d)", f.name(), f.low, f.high)
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
// while a Sink is told of the message.
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
