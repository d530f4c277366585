package scene

import "github.com/rdmacap/rdmacap/internal/build"

// reply takes how a call is answered, and makes the reply of it.
func (k *call) reply(c *cursor, xid uint32, ask, h *head) *message {
	verf := build.Auth{}
	if ask.service != 0 {
		verf = build.Auth{Flavor: flavorGSS, Body: pattern(28, 3)}
	}
	if h.verf != nil {
		verf = *h.verf
	}
	h.service, h.sequence = ask.service, ask.sequence
	status, isStatus := acceptStat(c.peek().text)
	x := encoder{trouble: c.trouble}
	switch w := c.peek().text; {
	case w == "AUTH_ERROR" || w == "RPC_MISMATCH":
		return h.denied(c, xid)
	case isStatus:
		if c.takeToken(); w == "PROG_MISMATCH" {
			x.word(c.number32("the lowest version"))
			x.word(c.number32("the highest version"))
		}
		c.expectEnd()
	default:
		k.result(c, &x)
		x.protect(h)
	}
	m := x.message(build.RPCReply{XID: xid, Verf: verf, Stat: status, Results: x.b}.Bytes())
	h.patch(m, map[string]int{"xid": 0, "mtype": 4, "replystat": 8, "accept": len(m.bytes) - len(x.b) - 4})
	return m
}

// result writes what the rest of the line says of the procedure's result. Of a
// COMPOUND without one, each operation that was called succeeds.
func (k *call) result(c *cursor, x *encoder) {
	answer := call{args: c.fields()}
	if answer.takeRaw(); answer.isRaw || k.procedure == nil {
		if !answer.isRaw && len(answer.args.fields)+len(answer.args.list) > 0 {
			c.fail("the result of a procedure that no text describes is raw=...")
		}
		x.b = append(x.b, answer.raw...)
		return
	}
	v := answer.args
	if called := k.operations(); len(called) > 0 && len(v.list)+len(v.fields) == 0 {
		list := &value{line: c.number, isList: true}
		for _, op := range called {
			list.list = append(list.list, &value{line: c.number, word: op})
		}
		v.list = append(v.list, list)
	}
	x.body(k.procedure.Result, v)
}

// operations are the names of those that a COMPOUND calls.
func (k *call) operations() (names []string) {
	t := k.procedure.Args
	if k.args == nil || len(t.Fields) == 0 || !isOperations(t.Fields[len(t.Fields)-1].Type) {
		return nil
	}
	for _, v := range k.args.list {
		for _, op := range v.list {
			names = append(names, op.word)
		}
	}
	return names
}

// denied is a reply that denies the call.
func (h *head) denied(c *cursor, xid uint32) *message {
	var data []byte
	if c.takeToken().text == "AUTH_ERROR" {
		data = build.RPCDenied(xid, 1, c.number32("an auth_stat"))
	} else {
		data = build.RPCDenied(xid, 0, c.number32("the lowest version"), c.number32("the highest version"))
	}
	c.expectEnd()
	m := &message{bytes: data, body: len(data)}
	h.patch(m, map[string]int{"xid": 0, "mtype": 4, "replystat": 8})
	return m
}

// acceptStat is an accept_stat by its name (RFC 5531, section 9).
func acceptStat(name string) (uint32, bool) {
	switch name {
	case "SUCCESS":
		return 0, false // as without the word
	case "PROG_UNAVAIL":
		return 1, true
	case "PROG_MISMATCH":
		return 2, true
	case "PROC_UNAVAIL":
		return 3, true
	case "GARBAGE_ARGS":
		return 4, true
	case "SYSTEM_ERR":
		return 5, true
	}
	return 0, false
}
