package credit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/lang"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

// A readiness says what a call of the client tells about callbacks.
type readiness uint8

const (
	notReady readiness = iota // nothing: the client need not have any receive for them
	ready                     // it makes this connection one for callbacks
	perhaps                   // what it asks for cannot be read
)

// What NFS version 4.1 gets a connection ready for callbacks with (RFC 8881).
const (
	flagBackChannel = 2 // CREATE_SESSION4_FLAG_CONN_BACK_CHAN
	onlyFore        = 1 // CDFC4_FORE

	flagsField     = "CREATE_SESSION4args.csa_flags"
	directionField = "BIND_CONN_TO_SESSION4args.bctsa_dir"
)

// A reader reads what calls of the client tell about callbacks.
type reader struct{ flags, direction values.Field }

func newReader() *reader {
	return &reader{values.FieldOf(flagsField), values.FieldOf(directionField)}
}

// readies tells what a call of the client says about callbacks.
func (x *reader) readies(m *dissect.Message) readiness {
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
	op := uint64(0)
	for i := range b.Events {
		e := &b.Events[i]
		switch e.Kind {
		case lang.Operation:
			op = e.Value
		case lang.Value:
			if op == values.OpCreateSession && e.Value&flagBackChannel != 0 && x.flags.Is(b, e) ||
				op == values.OpBindConnToSession && e.Value != onlyFore && x.direction.Is(b, e) {
				return ready
			}
		}
	}
	if b.Fault.Bad() || b.Dropped {
		return perhaps
	}
	return notReady
}
