package types

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// Kind is what a type is, in the words of RFC 4506, section 4.
type Kind uint8

const (
	Void          Kind = iota // no bytes
	Int                       // 4 bytes, signed
	UnsignedInt               // 4 bytes
	Hyper                     // 8 bytes, signed
	UnsignedHyper             // 8 bytes
	Float                     // 4 bytes, IEEE 754
	Double                    // 8 bytes, IEEE 754
	Quadruple                 // 16 bytes, IEEE 754
	Bool                      // 4 bytes, 0 or 1
	Enum                      // 4 bytes, signed, with names
	FixedOpaque               // opaque[n]: n bytes and their pad
	Opaque                    // opaque<n>: length word, at most n bytes and their pad
	String                    // string<n>: the same, as text
	FixedArray                // T[n]: n elements
	Array                     // T<n>: count word, at most n elements
	Optional                  // *T: a Boolean, and the element if it is TRUE
	Struct                    // its fields, in order
	Union                     // a discriminant of 4 bytes, then the arm that it selects
)

// Unlimited is the limit of a length or count for which the text states none.
const Unlimited = math.MaxUint32

// A Type is a type that a text declares, or one that stands within another
// declaration. Nobody changes it after Parse.
type Type struct {
	// Name is the declared name, "" for a type that has none of its own.
	Name string
	Kind Kind
	// Limit is the length of FixedOpaque and FixedArray, the greatest one of
	// Opaque, String and Array.
	Limit uint32
	// Elem is the type of the elements, or of what is optional.
	Elem *Type
	// Fields are those of a Struct. Of a Union the first is the discriminant
	// and each further one an arm, as declared; a void arm has no name.
	Fields []Field
	// Arms are the values of a Union's discriminant for which an arm stands
	// in the text, in ascending order.
	Arms []Arm
	// Default is the field of a Union's default arm, 0 if it has none.
	Default int
	// Names are the names of an Enum's values.
	Names *Names
	// As says how a value is written for a person.
	As As
	// Bind says that values are bound to one server or client (@bind), nil if none
	// does; Varies that they differ from server to server (@varies).
	Bind   *Bind
	Varies bool
	// Summary is the template of a line about a value, nil without one.
	Summary *Template
	// Doc is the comment at the declaration.
	Doc   string
	Place syntax.Place

	// Fixed says that every value has Min bytes, and none of them can be
	// wrong.
	Fixed bool
	// Min is the least number of bytes of a value that travels in a reduced
	// stream.
	Min uint64

	// base is the type of which this is another name, if it is.
	base *Type
	// annotated says that its notes, and those of base, are laid on it.
	annotated bool
	// key is the prefix of the keys of the fields.
	key   string
	notes []syntax.Note
	state state
}

// state is how far a type or constant is resolved.
type state uint8

const (
	untouched state = iota
	undeclared
	resolving
	resolved
	measured
)

// An Arm is a value of a discriminant (of signed ones the same 32 bits) and the
// index in Fields of the arm that it selects.
type Arm struct {
	Value uint32
	Field int
}

// A Field is one field of a Struct, or the discriminant or an arm of a Union.
type Field struct {
	// Name is as the text spells it.
	Name string
	// Key is the field's full name in filters and JSON:
	// "nfs.read3args.offset".
	Key  string
	Type *Type
	// As says how the value is written, the type's own As unless a note at
	// the field says otherwise.
	As As
	// Eligible says that the item is DDP-eligible (RFC 8166, section 3.4.2);
	// EligibleRef is the document that says so, if a note names it.
	Eligible bool
	// Status says that the value is the status of an operation, and OK is the
	// value that means success.
	Status      bool
	OK          uint32
	EligibleRef string
	// Bind and Varies are the type's own unless a note at the field says otherwise.
	Bind   *Bind
	Varies bool
	// Content is the type of what the bytes of an Opaque hold, nil if
	// nothing is known of it.
	Content *Content
	// Doc is the comment at the declaration.
	Doc   string
	Place syntax.Place

	// Selects is the union of operations of which it is the discriminant, nil
	// for others.
	Selects *Type
	// Index is that in Spec.Numbered, of a field that has a Key.
	Index int32
}

// A Content is what the bytes of an Opaque hold.
type Content struct {
	// Type is that of the value; with By it is a Union whose discriminant is
	// not in the bytes.
	Type *Type
	// By is the index of the field before it, in the same Struct, that
	// selects the arm of Type; -1 if the bytes are a whole value.
	By int
	// Attributes says that By is a bitmap: the bytes are one arm's value
	// for each of its bits that is set, in ascending order (RFC 8881,
	// section 3.3.7).
	Attributes bool
}

// Arm is the field that a discriminant selects, nil if the text has none.
func (t *Type) Arm(v uint32) *Field {
	if i := t.armIndex(v); i > 0 {
		return &t.Fields[i]
	}
	return nil
}

func (t *Type) armIndex(v uint32) int {
	lo, hi := 0, len(t.Arms)
	if hi > 0 {
		// Most unions have an arm for each value of an enum.
		if at := int64(v) - int64(t.Arms[0].Value); at >= 0 && at < int64(hi) && t.Arms[at].Value == v {
			return t.Arms[at].Field
		}
	}
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); t.Arms[mid].Value < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(t.Arms) && t.Arms[lo].Value == v {
		return t.Arms[lo].Field
	}
	return t.Default
}

// position is the index of the field of that name, -1 if there is none.
func (t *Type) position(name string) int {
	for i := range t.Fields {
		if t.Fields[i].Name == name && name != "" {
			return i
		}
	}
	return -1
}

// IsList reports whether the type is a linked list: an optional Struct whose
// last field is that same optional (RFC 4506, section 4.19). Lists are walked
// in a loop, however long, and shown as arrays.
func (t *Type) IsList() bool {
	if t.Kind != Optional || t.Elem.Kind != Struct || len(t.Elem.Fields) == 0 {
		return false
	}
	last := t.Elem.Fields[len(t.Elem.Fields)-1].Type
	return last.Kind == Optional && len(last.Elem.Fields) > 0 && &last.Elem.Fields[0] == &t.Elem.Fields[0]
}

// IsOperations reports whether an array of the type, in the struct of arguments or
// of a result, holds operations: unions that an enum selects.
func (t *Type) IsOperations() bool {
	return t.Kind == Array && t.Elem.Kind == Union && t.Elem.Fields[0].Type.Kind == Enum
}

// StatusOf reports whether a field is a status, and which value of it means
// success; first says that it comes first in a result.
func (f *Field) StatusOf(first bool) (status bool, ok uint32) {
	switch n := f.Type.Names; {
	case f.Status:
		return true, f.OK
	case first && n != nil && n.OK >= 0:
		return true, uint32(n.Members[n.OK].Value)
	}
	return false, 0
}

// Most is the limit of a length or count as far as it fits an int.
func (t *Type) Most() uint64 { return uint64(min(int64(t.Limit), math.MaxInt)) }
