package values

import (
	"sort"

	"github.com/rdmacap/rdmacap/dissect/xdr/lang"
)

// Operations is the union of the operations that a procedure's arguments or result
// consist of (COMPOUND4args.argarray), nil if they are no such.
func Operations(of *lang.Type) *lang.Type {
	if of == nil || of.Kind != lang.Struct || len(of.Fields) == 0 {
		return nil
	}
	for i := range of.Fields {
		t := of.Fields[i].Type
		if t.Kind == lang.Array && t.Elem != nil && t.Elem.Kind == lang.Union && len(t.Elem.Fields) > 0 && t.Elem.Fields[0].Type.Kind == lang.Enum {
			return t.Elem
		}
		if t.Kind == lang.Struct { // the arguments, if there is but one
			if u := Operations(t); u != nil {
				return u
			}
		}
	}
	return nil
}

// Arm is the arm that a discriminant selects, nil if it has none.
func Arm(union *lang.Type, v uint32) *lang.Field {
	i := sort.Search(len(union.Arms), func(i int) bool { return union.Arms[i].Value >= v })
	switch {
	case i < len(union.Arms) && union.Arms[i].Value == v:
		return &union.Fields[union.Arms[i].Field]
	case union.Default > 0:
		return &union.Fields[union.Default]
	}
	return nil
}
