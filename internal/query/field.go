package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// A Field is one thing that there is to say of a frame, a message or an RPC. This is the
// only place where it stands: filters ask for it, records have it as a member, rows and
// the page as a column, and docs/filter.md and docs/json.md list it.
type Field struct {
	filter.Field
	// Unit says how its numbers are written.
	Unit Unit
	// Spell is the name of an Enum's value, also of one that Names does not have; nil if
	// the name is that of Names, or else the number.
	Spell func(v uint64) string
	// Title is what stands above a column of it, "" for its name; the page's list has a
	// column of it only with a title. None is what its rows do not show there.
	Title string
	// Member is what it is in the records of its rows.
	Member Member
	// Cell is what rows of the page have of it.
	Cell Cell
}

// A Unit says how numbers are written.
type Unit uint8

const (
	Plain  Unit = iota
	Bytes       // a count of bytes
	Handle      // 32 bits, in hexadecimal with all digits: handles, XIDs, checksums
	Offset      // 64 bits, in hexadecimal with all digits: virtual addresses, operands of atomics
)

// A Member is a member of the JSON record of a row.
type Member struct {
	Name string // "" for none
	Part Part   // of the record of an RPC; other records are in the order of their tables
	// Asked is the field of filters that asks for the same, where that is another one.
	Asked string
	// Type is what docs/json.md says that it is, "" for what follows from the kind.
	Type string
	// Doc is its meaning there, "" for that of the field.
	Doc string
	// Absent says what stands for no value.
	Absent Absent
	// Beyond says that it stands beside the contract that scripts may rely on.
	Beyond bool
	// AsNumber says that an Enum's value is a number here, not a name.
	AsNumber bool
}

// A Part of the record of an RPC: members stand in the order of their parts, and in each as the
// table has them.
type Part uint8

const (
	Identity     Part = iota // which RPC it is
	CallHeader               // the header of its call
	BothMessages             // its two messages
	Ending                   // the header of its reply
	Answer                   // what the program answered
	Timing                   // how long it took
	Moved                    // what was moved for it
	Captured                 // what of it the capture has
)

// Absent says what a member is where the row has no value of it.
type Absent uint8

const (
	Never   Absent = iota // every row has one
	Null                  // null
	Empty                 // an empty string
	Zero                  // 0
	LeftOut               // not there
)

// A Cell is how rows of the page have a field.
type Cell struct {
	Form CellForm
	// Column is the column with the values, "" for one of the field's name. Two fields
	// may share one.
	Column string
	// None stands for no value in a column of numbers, if HasNone.
	None    int64
	HasNone bool
	// Near says that values of a list are near those of the row before.
	Near bool
	// Rare reports whether an RPC may have values; nil if any may.
	Rare func(r *dissect.RPC) bool
}

// A CellForm says what the cells of a column are.
type CellForm uint8

const (
	NoCell   CellForm = iota // the page does not have the field
	Number                   // a number
	Name                     // the number of a string in the page's dictionary
	Set                      // the number of a set of values
	List                     // a list of numbers
	Runs                     // a list of runs of numbers that follow one another
	TextList                 // a list of numbers of texts
	Hash                     // the same, of which the CRC-32 is asked
)

// An entry is a field and how rows of type T give its values.
type entry[T any] struct {
	Field
	give func(row T, to *filter.Values)
	// number and text give the value of what has one at most, faster; at most one of them is set.
	number func(row T) (uint64, bool)
	text   func(row T) string // words of this program; "" is none
	gate   *gate[T]           // not nil of what is no field, but a gate before some
}

// A gate says of which rows' records the members after it are.
type gate[T any] struct {
	open func(row T) bool
	n    int // how many entries, other gates and what is behind them among them
}

// A list is the fields of a level, in the order in which they are offered.
type list[T any] []entry[T]

// addField adds a field. What it returns, to say more of the field, is good until the next.
func (l *list[T]) addField(f filter.Field, give func(T, *filter.Values)) *Field {
	*l = append(*l, entry[T]{Field: Field{Field: f}, give: give})
	return &(*l)[len(*l)-1].Field
}

// where says that the members which add adds are only of rows that a condition holds of. It is
// asked once for all of them.
func (l *list[T]) where(holds func(T) bool, add func()) {
	g := &gate[T]{open: holds}
	*l = append(*l, entry[T]{gate: g})
	before := len(*l)
	add()
	g.n = len(*l) - before
}

// in says what the field is in records of its rows.
func (f *Field) in(m Member) *Field {
	f.Member = m
	return f
}

// titled says what stands above a column of the field.
func (f *Field) titled(title string) *Field {
	f.Title = title
	return f
}

// ofUnit says what its numbers are.
func (f *Field) ofUnit(u Unit) *Field {
	f.Unit, f.Hex = u, u == Handle
	return f
}

// spelled says how its values are called.
func (f *Field) spelled(spell func(uint64) string) *Field {
	f.Spell = spell
	return f
}

// cell says how rows of the page have it.
func (f *Field) cell(c Cell) *Field {
	f.Cell = c
	return f
}

// set is the Cell of a field whose values are few.
func set() Cell { return Cell{Form: Set} }

// rarely is the Cell of a field whose values are few, and that few RPCs have.
func rarely(has func(*dissect.RPC) bool) Cell { return Cell{Form: Set, Rare: has} }

// column is the Cell of a field that is in a column of numbers.
func column(name string) Cell { return Cell{Form: Number, Column: name} }

// optional is the same where none stands for no value.
func optional(name string, none int64) Cell {
	return Cell{Form: Number, Column: name, None: none, HasNone: true}
}

// mapped is a field of rows of type U, that have values of a row of type T: as many
// as each hands on. In records of U, that of T is a member, which has its members.
func mapped[T, U any](e entry[T], each func(row U, give func(T, *filter.Values), to *filter.Values)) entry[U] {
	give := e.give
	e.Member = Member{}
	return entry[U]{Field: e.Field, give: func(row U, to *filter.Values) { each(row, give, to) }}
}

// fields are the fields of a list.
func (l list[T]) fields() (fields []Field) {
	for i := range l {
		fields = append(fields, l[i].Field)
	}
	return fields
}

// asked are the entries that filters can ask for: not those of records alone.
func (l list[T]) asked() (asked list[T]) {
	for _, e := range l {
		if e.Name != "" {
			asked = append(asked, e)
		}
	}
	return asked
}

// A record is a row as filters ask it; it is used again for the next row.
type record[T any] struct {
	list list[T]
	row  T
}

// Values gives the values of the field with that index.
func (r *record[T]) Values(field int, to *filter.Values) { r.list[field].give(r.row, to) }
