package scene

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// isOperations reports whether a type is an array of operations, as COMPOUND has.
func isOperations(t *types.Type) bool {
	return t.Kind == types.Array && t.Elem.Kind == types.Union && t.Elem.Fields[0].Type.Kind == types.Enum
}

// minorVersion is the least minor version of NFS version 4 that has all the
// operations (RFC 7530, RFC 8881, RFC 7862); callbacks with sessions are of 1.
func minorVersion(operations *node) uint32 {
	const firstOf1, firstOf2, illegal = 40, 59, 10044
	minor := uint32(0)
	for _, op := range operations.list {
		kid := op.kids[0]
		if kid == nil || kid.value == nil {
			continue
		}
		v, ok := number(kid.value.word, kid.typ, nil)
		switch {
		case !ok || v == illegal:
		case kid.typ.Names != nil && kid.typ.Names.Type == "nfs_cb_opnum4":
			if v > 4 {
				minor = max(minor, 1)
			}
		case v >= firstOf2:
			minor = 2
		case v >= firstOf1:
			minor = max(minor, 1)
		}
	}
	return minor
}

// derive gives field i of a struct the value that follows from its siblings, if
// the text gives none.
func (x *encoder) derive(t *types.Type, n *node, i int) {
	if name := t.Fields[i].Name; name == "count" || name == "totalcount" {
		for j := range t.Fields {
			if kid := n.kids[j]; t.Fields[j].Eligible && n.kids[i] == nil && kid != nil && kid.value != nil {
				n.kid(i, t.Fields[i].Type, name, kid.line).value = decimal(len(kid.value.bytes))
			}
		}
	}
	for j := range t.Fields {
		if c := t.Fields[j].Content; c != nil && c.By == i {
			x.selector(t, n, i, j)
		}
	}
}

// selector lets field i, which says what field j holds, and field j agree.
func (x *encoder) selector(t *types.Type, n *node, i, j int) {
	c, by, held := t.Fields[j].Content, n.kids[i], n.kids[j]
	switch {
	case by == nil && held != nil && len(held.kids) > 0:
		by = n.kid(i, t.Fields[i].Type, t.Fields[i].Name, held.line)
		by.isList = c.Attributes
		for _, arm := range c.Type.Arms {
			if held.kids[arm.Field] == nil {
				continue
			}
			if !c.Attributes {
				by.value = decimal(int(arm.Value))
				return
			}
			by.setBit(arm.Value)
		}
	case !c.Attributes && held == nil:
		v, ok := unsaid(t.Fields[i].Type), true
		if by != nil && by.value != nil {
			v, ok = number(by.value.word, t.Fields[i].Type, &t.Fields[i])
		}
		if arm := armOf(c.Type, uint32(v)); ok && arm != 0 && c.Type.Fields[arm].Name != "" {
			f := &c.Type.Fields[arm]
			n.kid(j, t.Fields[j].Type, t.Fields[j].Name, n.line).kid(arm, f.Type, f.Name, n.line)
		}
	case c.Attributes && by != nil && held == nil:
		for _, arm := range c.Type.Arms {
			f := &c.Type.Fields[arm.Field]
			if by.hasBit(arm.Value) && f.Name != "" {
				n.kid(j, t.Fields[j].Type, t.Fields[j].Name, by.line).kid(arm.Field, f.Type, f.Name, by.line)
			}
		}
	}
}

func decimal(n int) *value { return &value{word: strconv.Itoa(n)} }

// setBit sets a bit of a bitmap, which is a list of words.
func (n *node) setBit(bit uint32) {
	const most = 1 << 10
	for w := bit % most / 32; uint32(len(n.list)) <= w; {
		n.list = append(n.list, &node{typ: n.typ.Elem, line: n.line, value: decimal(0)})
	}
	e := n.list[bit%most/32]
	if e.value == nil {
		e.value = decimal(0)
	}
	v, _ := strconv.ParseUint(e.value.word, 0, 32)
	e.value = &value{word: strconv.FormatUint(v|1<<(bit%32), 10)}
}

func (n *node) hasBit(bit uint32) bool {
	if bit/32 >= uint32(len(n.list)) || n.list[bit/32].value == nil {
		return false
	}
	v, err := strconv.ParseUint(n.list[bit/32].value.word, 0, 32)
	return err == nil && v>>(bit%32)&1 == 1
}
