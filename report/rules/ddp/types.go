package ddp

import (
	xdrtypes "github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// types answers what the XDR language of a program says of its types: what may be
// reduced in them. Each answer is kept: there are as many as types.
type types struct {
	eligible map[*xdrtypes.Type]bool
	programs map[*xdrtypes.Program]bool
	// tags are the discriminants that stand directly before an eligible item.
	tags map[*xdrtypes.Type][]uint32
	// counts are the fields of isCount, made when they are first asked for.
	counts []values.Field
}

// typesSlot is where a Checker keeps it.
const typesSlot = rules.CaptureSlot[types](rules.KeepsDDP)

// has reports whether a value of the type may hold an eligible item.
func (t *types) has(of *xdrtypes.Type) bool {
	answer, known := t.eligible[of]
	if !known {
		answer = search(of, make(map[*xdrtypes.Type]bool), func(_ *xdrtypes.Type, f *xdrtypes.Field) bool { return f.Eligible })
		if t.eligible == nil {
			t.eligible = make(map[*xdrtypes.Type]bool)
		}
		t.eligible[of] = answer
	}
	return answer
}

// program reports whether any procedure of a program has an eligible item.
func (t *types) program(p *xdrtypes.Program) bool {
	answer, known := t.programs[p]
	if !known {
		for _, v := range p.Versions {
			for i := range v.Procedures {
				answer = answer || t.has(v.Procedures[i].Args) || t.has(v.Procedures[i].Result)
			}
		}
		if t.programs == nil {
			t.programs = make(map[*xdrtypes.Program]bool)
		}
		t.programs[p] = answer
	}
	return answer
}

// before are the discriminants of the type, and of those within, that stand
// directly before the length word of an eligible item; at most a few.
func (t *types) before(of *xdrtypes.Type) []uint32 {
	list, known := t.tags[of]
	if !known {
		search(of, make(map[*xdrtypes.Type]bool), func(in *xdrtypes.Type, f *xdrtypes.Field) bool {
			if in.Kind == xdrtypes.Union && f.Eligible {
				for _, a := range in.Arms {
					if &in.Fields[a.Field] == f {
						list = append(list, a.Value)
					}
				}
			}
			return len(list) >= 4
		})
		if t.tags == nil {
			t.tags = make(map[*xdrtypes.Type][]uint32)
		}
		t.tags[of] = list
	}
	return list
}

// search goes through all fields of a type and of those within, until found says
// so of one.
func search(of *xdrtypes.Type, seen map[*xdrtypes.Type]bool, found func(in *xdrtypes.Type, f *xdrtypes.Field) bool) bool {
	if of == nil || seen[of] {
		return false
	}
	seen[of] = true
	for i := range of.Fields {
		f := &of.Fields[i]
		if found(of, f) || search(f.Type, seen, found) {
			return true
		}
	}
	return search(of.Elem, seen, found)
}

// operation reports whether an operation, by its number, may hold an eligible
// item.
func (t *types) operation(union *xdrtypes.Type, number uint64) bool {
	f := union.Arm(uint32(number))
	return f != nil && (f.Eligible || t.has(f.Type))
}
