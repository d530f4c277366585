package values

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// What NFS version 4.1 gets a connection ready for callbacks with (RFC 8881, sections
// 18.34 and 18.36).
const (
	flagBackChannel = 2 // CREATE_SESSION4_FLAG_CONN_BACK_CHAN
	onlyFore        = 1 // CDFC4_FORE

	sessionFlags  = "CREATE_SESSION4args.csa_flags"
	bindDirection = "BIND_CONN_TO_SESSION4args.bctsa_dir"
)

// A BackChannel finds the calls that make their connection one for callbacks.
type BackChannel struct{ flags, direction Field }

// NewBackChannel returns a BackChannel.
func NewBackChannel() *BackChannel {
	return &BackChannel{FieldOf(sessionFlags), FieldOf(bindDirection)}
}

// BackChannelFields are what a BackChannel reads, for rules.Rule.Fields.
func BackChannelFields() []string { return []string{sessionFlags, bindDirection} }

// Asks reports whether the arguments of a COMPOUND have CREATE_SESSION with the flag, or
// BIND_CONN_TO_SESSION for more than the fore channel.
func (x *BackChannel) Asks(b *dissect.Body) bool {
	op := uint64(0)
	for i := range b.Events {
		e := &b.Events[i]
		switch e.Kind {
		case walk.Operation:
			op = e.Value
		case walk.Value:
			if op == numbers.OpCreateSession && e.Value&flagBackChannel != 0 && x.flags.Is(b, e) ||
				op == numbers.OpBindConnToSession && e.Value != onlyFore && x.direction.Is(b, e) {
				return true
			}
		}
	}
	return false
}
