package credit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// A readiness says what a call of the client tells about callbacks.
type readiness uint8

const (
	notReady readiness = iota // nothing: the client need not have any receive for them
	ready                     // it makes this connection one for callbacks
	perhaps                   // what it asks for cannot be read
)

// readies reports what a call of the client says about callbacks.
func (x *shared) readies(m *dissect.Message) readiness {
	h := &m.CallHeader
	switch {
	case !m.HasRPC || !m.Whole:
		return perhaps
	case h.Program != rpc.ProgramNFS && rpc.ProgramName(h.Program) == "":
		return perhaps // another protocol may have ways of its own
	case !values.IsCompound(h):
		return notReady
	}
	b := m.Body()
	if b == nil {
		return perhaps // encrypted
	}
	if x.back == nil {
		x.back = values.NewBackChannel()
	}
	if x.back.Asks(b) {
		return ready
	}
	if b.Fault.Bad() || b.Dropped {
		return perhaps
	}
	return notReady
}
