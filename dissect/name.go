package dissect

import (
	"bytes"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// AppendName appends what a person calls the RPC, of which ops are the
// operations: program, version and procedure ("NFS3 READ"); of a COMPOUND the
// operation that it is for ("NFS4 OPEN").
func (r *RPC) AppendName(b []byte, ops []Op) []byte {
	c := r.CallHeader()
	switch {
	case r.Call == nil:
		return append(b, "call not captured"...)
	case c == nil:
		return append(b, "call not decoded"...)
	}
	at := len(b)
	b = AppendCallName(b, c, r.Reverse())
	if main := MainOperation(ops); main != nil {
		b = append(b[:at+bytes.LastIndexByte(b[at:], ' ')+1], main.Name...)
	} else if len(ops) == 1 && rpc.ProgramName(c.Program) == "" && !r.Reverse() {
		b = append(b[:at], ops[0].Program...)
		b = append(b, ' ')
		b = append(b, ops[0].Name...)
	}
	return b
}

// AppendCallName appends program, version and procedure of a call ("NFS4
// COMPOUND"), and what it is for if it is a control message of RPCSEC_GSS
// ("NFS4 NULL GSS_INIT").
func AppendCallName(b []byte, c *rpc.Call, reverse bool) []byte {
	if reverse && rpc.ProgramName(c.Program) == "" {
		return rpc.AppendCallbackLabel(b, c.Procedure)
	}
	b = rpc.AppendLabel(b, c.Program, c.Version, c.Procedure)
	if c.Control() {
		// It is for the security context; the procedure is only its carrier.
		b = append(b, ' ')
		b = append(b, strings.TrimPrefix(c.Cred.GSS.Proc.String(), "RPCSEC_")...)
	}
	return b
}

// MainOperation is the operation that a COMPOUND is for, nil if it has none: the
// one with the highest rank, the last of several.
func MainOperation(ops []Op) (main *Op) {
	for i := range ops {
		if op := &ops[i]; op.Args >= 0 && (main == nil || op.Rank >= main.Rank) {
			main = op
		}
	}
	return main
}
