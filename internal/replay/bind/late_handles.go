package bind

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/field"
)

// A lateHandle is one that a call uses before a reply of the capture gives it.
type lateHandle struct {
	handle string
	like   []byte // the first call that uses it, whose credential is used
	// session is that of the call, nil if a reply of the capture gave it.
	session *lateSession
	// asked says that it was asked for, and found that names lead to it.
	asked, found bool
}

// handle is the first that an operation of the call names, "" if it names none.
func (c *contents) handle(op int32) string {
	for _, it := range c.itemsOf(op) {
		if it.kind == types.Handles && !it.inChunk {
			return string(c.value(&it))
		}
	}
	return ""
}

// unboundHandles notes the handles of a call that no reply has given so far.
func (l *Late) unboundHandles(c *Call) {
	for i := range c.contents.items {
		it := &c.contents.items[i]
		if it.kind != types.Handles || it.inChunk || it.holds {
			continue
		}
		v := c.contents.value(it)
		if _, known := l.binder.tables.findLive(it.kind, "", v); !known {
			l.need(string(v), c.captured.Bytes, l.session(c))
		}
	}
}

// need notes that a handle is used.
func (l *Late) need(handle string, like []byte, session *lateSession) {
	if l.handles[handle] == nil && len(l.used) < mostTied {
		h := &lateHandle{handle: handle, like: like, session: session}
		l.handles[handle] = h
		l.used = append(l.used, h)
	}
}

// any is a session, or the first if there is none.
func (l *Late) any(s *lateSession) *lateSession {
	if s == nil {
		return l.order[0]
	}
	return s
}

// findHandle asks for the handles to which names lead. Where they lead back to a handle and no further,
// exports say where that is: by the handle, or without it where there is no other.
func (l *Late) findHandle(b *Beginning, exports []Export) error {
	below, tops := l.tops()
	for _, e := range exports {
		at, err := e.among(tops)
		switch {
		case err != nil:
			return err
		case at == "" && e.Handle == "":
			continue // it is for NFS 3, or there are several
		}
		l.names.origins[at] = object{known: true, names: split(e.Path)}
		b.Assumed = append(b.Assumed, fmt.Sprintf("the handle %s, which has no name and below which the capture uses %s, is assumed to be that of %q (--export)",
			shortHandle(at), field.Counted(below[at], "name"), e.Path))
	}
	for _, h := range l.used {
		if err := l.ask(b, h, 0); err != nil {
			return err
		}
	}
	for _, top := range tops {
		if h := l.handles[top]; h == nil || !h.found {
			b.Lacking = append(b.Lacking, fmt.Sprintf("the handle %s, below which the capture uses %s, has no name: --export %s=PATH gives its path",
				shortHandle(top), field.Counted(below[top], "name"), strings.TrimPrefix(shortHandle(top), "…")))
		}
	}
	return nil
}

// tops are the handles to which no names lead, of all that are used, in the order of their first use;
// and how many names are used below each.
func (l *Late) tops() (below map[string]int, tops []string) {
	below = make(map[string]int)
	for _, h := range l.used {
		if top, ok := l.names.top(h.handle); ok {
			if _, seen := below[top]; !seen {
				below[top] = 0
				tops = append(tops, top)
			}
		}
	}
	for handle, n := range l.names.uses {
		if top, ok := l.names.top(handle); ok && handle != "" {
			if _, used := below[top]; used {
				below[top] += n
			}
		}
	}
	return below, tops
}

// ask makes the call that asks for a handle, and before it those that ask for what is above it.
//
//	| SEQUENCE | PUTROOTFH, or PUTFH of what is above | LOOKUP name | ... | GETFH |
func (l *Late) ask(b *Beginning, h *lateHandle, depth int) error {
	o, known := l.names.origins[h.handle]
	if h.asked || depth == mostDeep {
		return nil
	}
	h.asked = true
	if !known {
		return nil
	}
	if o.from != "" {
		l.need(o.from, h.like, h.session)
		above := l.handles[o.from]
		if above == nil {
			return nil
		}
		if err := l.ask(b, above, depth+1); err != nil {
			return err
		}
		if !above.found {
			h.asked = above.asked // what lies too deep here is asked for when its turn comes
			return nil
		}
	}
	c, err := l.any(h.session).compound(h.like)
	if err != nil {
		return err
	}
	where := "the root of the server"
	if o.from == "" {
		c.op(numbers.OpPutrootfh, nil, nil)
	} else {
		where = shortHandle(o.from)
		c.op(numbers.OpPutfh, opaque(nil, []byte(o.from)), nil)
	}
	c.lookups(o.names)
	c.op(numbers.OpGetfh, nil, opaque(nil, []byte(h.handle)))
	h.found = true
	what := fmt.Sprintf("GETFH for the handle %s: %s", shortHandle(h.handle), where)
	if len(o.names) > 0 {
		what = fmt.Sprintf("LOOKUP for the handle %s: %q below %s", shortHandle(h.handle), strings.Join(o.names, "/"), where)
	}
	b.Before = append(b.Before, c.own(Own{What: what}))
	return nil
}

// shortHandle names a handle for a person: in hex, of a long one the end, where file systems put
// what tells their files apart.
func shortHandle(handle string) string {
	const most = 16
	if len(handle) <= most {
		return hex.EncodeToString([]byte(handle))
	}
	return "…" + hex.EncodeToString([]byte(handle[len(handle)-most:]))
}
