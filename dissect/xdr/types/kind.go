package types

import "strconv"

// kinds are the kinds in XDR language.
var kinds = [...]string{
	Void: "void", Int: "int", UnsignedInt: "unsigned int", Hyper: "hyper", UnsignedHyper: "unsigned hyper",
	Float: "float", Double: "double", Quadruple: "quadruple", Bool: "bool", Enum: "enum",
	FixedOpaque: "opaque", Opaque: "opaque", String: "string", FixedArray: "array", Array: "array",
	Optional: "optional", Struct: "struct", Union: "union",
}

// String is the kind in XDR language.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// String is the type's name, or how a type without one is written.
func (t *Type) String() string {
	limit := ""
	if t.Limit != Unlimited {
		limit = strconv.FormatUint(uint64(t.Limit), 10)
	}
	switch {
	case t.Name != "":
		return t.Name
	case t.Kind == FixedOpaque:
		return "opaque[" + limit + "]"
	case t.Kind == Opaque || t.Kind == String:
		return t.Kind.String() + "<" + limit + ">"
	case t.Kind == FixedArray:
		return t.Elem.String() + "[" + limit + "]"
	case t.Kind == Array:
		return t.Elem.String() + "<" + limit + ">"
	case t.Kind == Optional:
		return t.Elem.String() + " *"
	}
	return t.Kind.String()
}

// IsWord reports whether values are one word or hyper.
func (t *Type) IsWord() bool {
	return Int <= t.Kind && t.Kind <= Double || t.Kind == Bool || t.Kind == Enum
}

// Size is the number of bytes of a word or hyper.
func (t *Type) Size() int {
	switch t.Kind {
	case Hyper, UnsignedHyper, Double:
		return 8
	case Quadruple:
		return 16
	}
	return 4
}
