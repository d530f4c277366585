package ladder

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// A procedure is what calls are named by.
type procedure struct {
	program, version, number uint32
	gss                      rpc.GSSProc // of a control message of RPCSEC_GSS, 0 for others
	reverse                  bool
}

// names are what steps have that carry a message of a call with a name, one for each name: nothing
// is made for a message whose like was seen before.
type names map[procedure]*more

// maxNames bounds them: a capture may have any number of programs. What is beyond has no name.
const maxNames = 1024

// of is that of a message, nil where the call is not known that it is or answers.
func (n *names) of(m *dissect.Message) *more {
	r := m.RPC()
	if r == nil {
		return nil
	}
	c := r.CallHeader()
	if c == nil {
		return nil
	}
	p := procedure{c.Program, c.Version, c.Procedure, 0, r.Reverse()}
	if c.Control() {
		p.gss = c.Cred.GSS.Proc
	}
	x := (*n)[p]
	if x == nil && len(*n) < maxNames {
		if *n == nil {
			*n = make(names)
		}
		x = &more{name: string(dissect.AppendCallName(nil, c, p.reverse))}
		(*n)[p] = x
	}
	return x
}
