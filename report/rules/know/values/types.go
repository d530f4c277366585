package values

import "github.com/rdmacap/rdmacap/dissect/xdr/types"

// Operations is the union of the operations that a procedure's arguments or result
// consist of (COMPOUND4args.argarray), nil if they are no such.
func Operations(of *types.Type) *types.Type {
	if of == nil || of.Kind != types.Struct || len(of.Fields) == 0 {
		return nil
	}
	for i := range of.Fields {
		t := of.Fields[i].Type
		if t.Kind == types.Array && t.Elem != nil && t.Elem.Kind == types.Union && len(t.Elem.Fields) > 0 && t.Elem.Fields[0].Type.Kind == types.Enum {
			return t.Elem
		}
		if t.Kind == types.Struct { // the arguments, if there is but one
			if u := Operations(t); u != nil {
				return u
			}
		}
	}
	return nil
}
