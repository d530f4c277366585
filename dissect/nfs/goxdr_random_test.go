//go:build long

package nfs_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// unknownToGoXDR are values of discriminants, by the union, that are of RFCs
// which go-xdr does not have.
var unknownToGoXDR = map[string][]uint32{
	"nfs_argop4":       {72, 73, 74, 75}, // RFC 8276
	"nfs_resop4":       {72, 73, 74, 75},
	"open_delegation4": {4, 5}, // RFC 9754
}

// A generator makes random values of the types in a text.
type generator struct {
	random *rand.Rand
	bytes  []byte
}

func (g *generator) word(v uint32) { g.bytes = binary.BigEndian.AppendUint32(g.bytes, v) }

// text appends n letters, which are right in ASCII and UTF-8, and their pad.
func (g *generator) text(n int) {
	for range n {
		g.bytes = append(g.bytes, byte('a'+g.random.IntN(26)))
	}
	for len(g.bytes)%4 != 0 {
		g.bytes = append(g.bytes, 0)
	}
}

// count is a small count of at most limit, 0 deep inside.
func (g *generator) count(limit uint32, depth int) int {
	if depth > 6 {
		return 0
	}
	return g.random.IntN(int(min(limit, 3)) + 1)
}

func (g *generator) value(t *types.Type, depth int) {
	switch t.Kind {
	case types.Int, types.UnsignedInt, types.Float:
		g.word(g.random.Uint32())
	case types.Hyper, types.UnsignedHyper, types.Double:
		g.bytes = binary.BigEndian.AppendUint64(g.bytes, g.random.Uint64())
	case types.Bool:
		g.word(g.random.Uint32N(2))
	case types.Enum:
		if g.random.IntN(8) == 0 {
			g.word(g.random.Uint32())
			return
		}
		g.word(uint32(t.Names.Members[g.random.IntN(len(t.Names.Members))].Value))
	case types.FixedOpaque:
		g.text(int(t.Limit))
	case types.Opaque, types.String:
		n := g.random.IntN(int(min(t.Limit, 13)) + 1)
		g.word(uint32(n))
		g.text(n)
	case types.FixedArray:
		for range t.Limit {
			g.value(t.Elem, depth+1)
		}
	case types.Array:
		n := g.count(t.Limit, depth)
		g.word(uint32(n))
		for range n {
			g.value(t.Elem, depth+1)
		}
	case types.Optional:
		g.optional(t, depth)
	case types.Struct:
		for i := range t.Fields {
			g.value(t.Fields[i].Type, depth+1)
		}
	case types.Union:
		g.union(t, depth)
	}
}

func (g *generator) optional(t *types.Type, depth int) {
	if !t.IsList() {
		n := min(1, g.count(1, depth))
		g.word(uint32(n))
		if n == 1 {
			g.value(t.Elem, depth+1)
		}
		return
	}
	for range g.count(3, depth) {
		g.word(1)
		for i := range len(t.Elem.Fields) - 1 {
			g.value(t.Elem.Fields[i].Type, depth+1)
		}
	}
	g.word(0)
}

func (g *generator) union(t *types.Type, depth int) {
	var values []uint32
	for _, a := range t.Arms {
		if !slices.Contains(unknownToGoXDR[t.Name], a.Value) {
			values = append(values, a.Value)
		}
	}
	field := t.Default
	v := g.random.Uint32()
	switch d := t.Fields[0].Type; d.Kind {
	case types.Enum:
		// One that has a name but perhaps no arm of its own.
		v = uint32(d.Names.Members[g.random.IntN(len(d.Names.Members))].Value)
	case types.Bool:
		v &= 1
	}
	if t.Default == 0 || len(values) > 0 && g.random.IntN(4) > 0 {
		v = values[g.random.IntN(len(values))]
	}
	for _, a := range t.Arms {
		if a.Value == v {
			field = a.Field
		}
	}
	g.word(v)
	g.value(t.Fields[field].Type, depth+1)
}
