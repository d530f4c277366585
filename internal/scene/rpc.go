package scene

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A message is an RPC message as the upper layer makes it, nothing taken out.
type message struct {
	bytes []byte
	items []item // their offsets count from the message's first byte
	body  int    // where arguments or result begin
}

// eligible are the items that may travel in chunks, in order.
func (m *message) eligible() (items []item) {
	for _, it := range m.items {
		if it.eligible {
			items = append(items, it)
		}
	}
	return items
}

// A call is what a text says of an RPC call, so that it can be made again.
type call struct {
	procedure *types.Procedure // nil if no text describes it
	numbers   [3]uint32        // program, version, procedure
	args      *value
	raw       []byte // in place of args, if isRaw
	isRaw     bool
}

// head is what a text says of an RPC header.
type head struct {
	words      map[string]uint32
	cred, verf *build.Auth
	service    uint32 // of RPCSEC_GSS for data, else 0
	sequence   uint32
}

// The services of RPCSEC_GSS (RFC 2203, section 5.3.1).
const (
	serviceIntegrity = 2
	servicePrivacy   = 3
)

// call takes what is called: a program and a procedure with its arguments, or
// numbers and bytes.
func (p *player) call(c *cursor) *call {
	if len(c.tokens) > 1 && c.tokens[1].is("=") {
		return c.unknownCall()
	}
	return p.callOf(c, c.procedure(p.spec))
}

func (p *player) callOf(c *cursor, proc *types.Procedure) *call {
	k := &call{procedure: proc, args: c.fields()}
	if proc == nil {
		return k
	}
	k.numbers = [3]uint32{proc.Program.Number, proc.Version.Number, proc.Number}
	k.takeRaw()
	return k
}

// takeRaw takes raw=... out of the arguments.
func (k *call) takeRaw() {
	if f := k.args.fields; len(f) == 1 && len(k.args.list) == 0 && f[0].path[0] == "raw" && f[0].value.isBytes {
		k.isRaw, k.raw = true, f[0].value.bytes
	}
}

func (c *cursor) unknownCall() *call {
	k := &call{isRaw: true}
	for c.more() {
		name := c.one("program", "version", "procedure", "raw")
		c.mark("=")
		switch name {
		case "program":
			k.numbers[0] = c.number32(name)
		case "version":
			k.numbers[1] = c.number32(name)
		case "procedure":
			k.numbers[2] = c.number32(name)
		case "raw":
			k.raw = c.bytes(name)
		}
	}
	return k
}

// message is the call as XDR (RFC 5531, section 9).
func (k *call) message(tr *trouble, xid uint32, h *head) *message {
	cred, verf := build.Auth{}, build.Auth{}
	if k.procedure != nil && k.procedure.Number != 0 {
		cred = build.AuthSys("client", 0, 0)
	}
	if h.cred != nil {
		cred = *h.cred
		if cred.Flavor == flavorGSS {
			verf = build.Auth{Flavor: flavorGSS, Body: pattern(28, 0)}
		}
	}
	if h.verf != nil {
		verf = *h.verf
	}
	x := encoder{trouble: tr}
	if k.isRaw {
		x.b = append(x.b, k.raw...)
	} else if k.procedure != nil {
		x.body(k.procedure.Args, k.args)
	}
	x.protect(h)
	data := build.RPCCall{XID: xid, Program: k.numbers[0], Version: k.numbers[1], Procedure: k.numbers[2],
		Cred: cred, Verf: verf, Args: x.b}.Bytes()
	m := x.message(data)
	h.patch(m, map[string]int{"xid": 0, "mtype": 4, "rpcvers": 8, "prog": 12, "vers": 16, "proc": 20})
	return m
}

// body writes arguments or a result.
func (x *encoder) body(t *types.Type, v *value) {
	n := &node{typ: t}
	if len(v.list)+len(v.fields) > 0 {
		x.set(n, nil, v)
	}
	x.encode(t, nil, n)
}

// protect puts around the bytes what RPCSEC_GSS does (RFC 2203, section 5.3.2).
func (x *encoder) protect(h *head) {
	const before = 8 // length word and sequence number
	inner := binary.BigEndian.AppendUint32(nil, h.sequence)
	inner = append(inner, x.b...)
	items := x.items
	switch h.service {
	case serviceIntegrity:
		x.b, x.items = nil, nil
		x.opaque("databody_integ", inner, false)
		x.opaque("checksum", pattern(28, 7), false)
		x.items = nil
		for _, it := range items {
			it.start += before
			x.items = append(x.items, it)
		}
	case servicePrivacy:
		n := len(inner) + 60 // what Kerberos adds to seal it
		x.b, x.items = nil, nil
		x.opaque("databody_priv", pattern(n, 99), false)
	}
}

// message is an RPC message that ends with the encoder's bytes.
func (x *encoder) message(data []byte) *message {
	m := &message{bytes: data, items: x.items, body: len(data) - len(x.b)}
	for i := range m.items {
		m.items[i].start += m.body
	}
	return m
}

// patch puts words in place of those that the header has.
func (h *head) patch(m *message, offsets map[string]int) {
	for name, v := range h.words {
		if at, ok := offsets[name]; ok && at+4 <= len(m.bytes) {
			binary.BigEndian.PutUint32(m.bytes[at:], v)
		}
	}
}
