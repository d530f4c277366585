// Package field describes headers as tables and shows bytes through them.
//
// A header's Table is the one truth about it: the details view, JSON names,
// highlighting, filter names and the reference documentation are read from it.
// The accessors of the hot path are hand-written in each protocol's package,
// and a test there holds each against its table (see Table.Lookup).
//
//	Table "bth"  ──Node(bytes)──>  Node tree  ──>  details, hex dump, HTML
//	  Field "PSN", bit 72, width 24
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change.
package field

import "strconv"

// A Field is one field of a header: a row of its Table.
type Field struct {
	// Name is the field's name as the specification spells it ("DestQP").
	Name string
	// Key is the field's name in filters and JSON, without the table's
	// prefix, in lower case ("destqp").
	Key string
	// Bit is the field's first bit, counted from the most significant bit
	// of the header's first byte, which is bit 0.
	Bit int
	// Width is the number of bits. Fields of more than 64 bits must begin
	// and end on a byte and have a Format for bytes.
	Width int
	// Format says how a value is written for a person.
	Format Format
	// Enum names a value, "" where the specification gives it no name; it
	// may be nil.
	Enum func(uint64) string
	// Doc says what the field means, in a few words.
	Doc string
}

// A Table is the list of the fields of one header, in wire order.
type Table struct {
	// Key is the prefix of its fields' names in filters ("bth").
	Key string
	// Name is the header's short name in the specification ("BTH").
	Name string
	// Title is its name in full ("Base Transport Header").
	Title string
	// Ref is the document and section that define it.
	Ref string
	// Fields are the header's fields in wire order, without overlap.
	Fields []Field
}

// Size is the number of bytes that the table's fields span.
func (t *Table) Size() int {
	bits := 0
	for i := range t.Fields {
		bits = max(bits, t.Fields[i].Bit+t.Fields[i].Width)
	}
	return (bits + 7) / 8
}

// Lookup returns the field with that key, or nil.
func (t *Table) Lookup(key string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Key == key {
			return &t.Fields[i]
		}
	}
	return nil
}

// Start is the offset of the first byte that holds a bit of the field.
func (f *Field) Start() int { return f.Bit / 8 }

// End is the offset after the last byte that holds a bit of the field.
func (f *Field) End() int { return (f.Bit + f.Width + 7) / 8 }

// Uint reads the field's value from the header's bytes (network byte order).
// The field has at most 64 bits, and header at least End bytes.
func (f *Field) Uint(header []byte) uint64 {
	var v uint64
	for bit := f.Bit; bit < f.Bit+f.Width; {
		// Take what this byte has of the field, at most eight bits at a time.
		take := min(8-bit%8, f.Bit+f.Width-bit)
		size := uint64(header[bit/8]) >> (8 - bit%8 - take)
		v = v<<take | size&(1<<take-1)
		bit += take
	}
	return v
}

// A Fault marks what is wrong with a header: bad input is data, not an error.
// The zero Fault is none.
type Fault struct {
	// Offset is the byte at fault, in the buffer that was decoded.
	Offset int
	// Reason says what is wrong, in a few words that need no context.
	Reason string
}

// Bad reports whether there is a fault.
func (f Fault) Bad() bool { return f.Reason != "" }

// String is the reason and the byte, as in "BTH cut short at byte 7".
func (f Fault) String() string {
	if !f.Bad() {
		return ""
	}
	return f.Reason + " at byte " + strconv.Itoa(f.Offset)
}
