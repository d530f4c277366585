package scene

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
)

// mostElements is the greatest number of an element in a subset that a text names.
const mostElements = 1 << 12

// An option is what an RDMA2_OPTIONAL says: rdma_opttype and rdma_optinfo.
type option struct {
	kind uint32
	info []byte
}

// option takes an operation of transport characteristics, or a type and bytes.
func (c *cursor) option() *option {
	o := &option{kind: c.choice("INIT_XCHAR", build.InitXchar, "REQ_XCHAR", build.ReqXchar,
		"RESP_XCHAR", build.RespXchar, "UPD_XCHAR", build.UpdXchar)}
	if next := c.peek(); next.kind == text || len(c.tokens) > 1 && c.tokens[1].is("(") {
		o.info = c.bytes("rdma_optinfo")
		return o
	}
	switch o.kind {
	case build.InitXchar:
		o.info = build.XcharInit(c.characteristics(), c.subsets("nochg")[0])
	case build.ReqXchar:
		o.info = build.XcharReq(c.characteristics()...)
	case build.RespXchar:
		s := c.subsets("done", "rej", "pend")
		o.info = build.XcharResp(s[0], s[1], s[2])
	case build.UpdXchar:
		now, clear := c.characteristic(), false
		if c.accept("pendclr") {
			c.mark("=")
			clear = c.one("TRUE", "FALSE") == "TRUE"
		}
		o.info = build.XcharUpd(now, clear)
	}
	return o
}

// characteristics takes [ID=VALUE ...].
func (c *cursor) characteristics() (list []build.Xchar) {
	c.mark("[")
	for c.more() && !c.peek().is("]") {
		list = append(list, c.characteristic())
	}
	c.mark("]")
	return list
}

// characteristic takes ID=VALUE, where the value is a word or the bytes of xchv_data.
func (c *cursor) characteristic() build.Xchar {
	id := c.choice("RBSIZ", build.XcharRBSIZ, "RQREMINV", build.XcharRQREMINV, "BRS", build.XcharBRS)
	c.mark("=")
	if next := c.peek(); next.kind == text || len(c.tokens) > 1 && c.tokens[1].is("(") {
		return build.Xchar{ID: id, Data: c.bytes("xchv_data")}
	}
	return build.XcharWord(id, c.choice("FALSE", 0, "TRUE", 1,
		"UNKNOWN", build.BRSUnknown, "NONE", build.BRSNone, "SZLIM", build.BRSSizeLim, "GENL", build.BRSGeneral))
}

// subsets takes NAME=[N ...] for some of the names, in any order.
func (c *cursor) subsets(names ...string) []build.XcharSubset {
	list := make([]build.XcharSubset, len(names))
	for c.more() {
		name := c.one(names...)
		c.mark("=")
		c.mark("[")
		var s build.XcharSubset
		for c.more() && !c.peek().is("]") {
			n := c.count("an element's number")
			if n >= mostElements {
				c.fail("element %d: a subset has elements 0 to %d", n, mostElements-1)
				return list
			}
			s = append(s, n)
		}
		c.mark("]")
		for i := range names {
			if names[i] == name {
				list[i] = s
			}
		}
	}
	return list
}

// optionalStatement is: optional ID client|server TYPE ...
func (p *player) optionalStatement(c *cursor, options []*cursor) {
	id := c.number32("the message's number")
	s := &sending{line: c.number, dir: c.direction(), xid: xidOf(id)}
	s.option = c.option()
	c.expectEnd()
	s.options(options, func(*cursor, string) bool { return false })
	if s.reads != nil || s.hasReduce || s.head.words != nil || s.head.cred != nil || s.head.verf != nil {
		c.fail("an OPTIONAL has no chunks and no RPC header: see the option optional of call")
	}
	if p.err != nil {
		return
	}
	s.complete(2, build.DirectionCall)
	e := p.exchanges[id]
	if e == nil || e.alone {
		e = &exchange{call: &call{}, xid: s.xid, dir: s.dir, version: s.version, alone: true}
		p.exchanges[id] = e
	}
	m := p.send(s, build.Header{XID: s.xid, Credits: p.cur.credits(s.dir)}, nil)
	if e.alone {
		e.sent = m
	}
}

// optinfo are the fields of rdma_optinfo that begins at p.at, as package build
// writes it. Those of bytes that are something else end where these do.
func (p *places) optinfo(kind uint32, info []byte) {
	r := optreader{places{p.all, p.at}, info}
	switch kind {
	case build.InitXchar:
		r.spec()
		r.subset("nochg")
	case build.ReqXchar:
		r.spec()
	case build.RespXchar:
		r.subset("done")
		r.subset("rej")
		r.subset("pend")
	case build.UpdXchar:
		r.value("xchar1")
		r.word("pendclr")
	}
}

type optreader struct {
	places
	left []byte
}

// word notes a word and returns it, 0 where the bytes have ended.
func (r *optreader) word(name string) int {
	if len(r.left) < 4 {
		r.left = nil
		return 0
	}
	r.words(name)
	v := binary.BigEndian.Uint32(r.left)
	r.left = r.left[4:]
	return int(v)
}

func (r *optreader) spec() {
	n := r.word("xchars.count")
	for i := 1; i <= n && len(r.left) > 0; i++ {
		r.value("xchar" + strconv.Itoa(i))
	}
}

func (r *optreader) value(name string) {
	from := r.at
	r.word(name + ".id")
	n := min(r.word(name+".length"), len(r.left))
	r.all[name+".data"] = extent{r.at, n}
	r.all[name] = extent{from, r.at + n - from}
	padded := min((n+3)&^3, len(r.left))
	r.at, r.left = r.at+padded, r.left[padded:]
}

func (r *optreader) subset(name string) {
	from := r.at
	n := r.word(name + ".count")
	for i := 1; i <= n && len(r.left) > 0; i++ {
		r.word(fmt.Sprintf("%s.%d", name, i))
	}
	r.all[name] = extent{from, r.at - from}
}

// short is a name without what the drafts put before it.
func short(name string) string {
	for _, prefix := range []string{"RDMA2_ERR_", "XCHAR_", "BKRQSUP_"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return rest
		}
	}
	return name
}
