package walk

// EventKind is what an event tells.
type EventKind uint8

const (
	// Value is the value of a marked field.
	Value EventKind = iota
	// Item is opaque data that are eligible, or that travelled in a chunk
	// although they are not.
	Item
	// Status is the status of a procedure or operation.
	Status
	// Operation is the beginning of an operation in a COMPOUND or the like; what
	// is in it stands between it and its End.
	Operation
	// End is the end of the operation.
	End
)

// An Event is something that the Walker met.
type Event struct {
	Kind EventKind
	// OK says of a Status that it is success.
	OK bool
	// Eligible says of an Item that its declaration makes it eligible.
	Eligible bool
	// Mark is the index in Plan.Marks of a Value, else -1.
	Mark int32
	// Field is the index in Plan.Fields of an Item, a Status, and of the
	// discriminant of an Operation and End; of a Value -1 if it is in none.
	Field int32
	// Chunk is the index of the Read or Write chunk in which an Item or an
	// opaque Value travelled, -1 if it is inline.
	Chunk int32
	// Index counts the operations from 0 (Operation, End).
	Index int32
	// Offset and Length are bytes in the inline stream: of an Item or opaque
	// Value its data, without length word and pad. Data in a chunk have the
	// length that the length word says, at the offset where they are missing.
	Offset, Length uint32
	// Position is where the Offset lies in the unreduced message.
	Position uint64
	// Value is a number: of a word or hyper its value, signed ones extended
	// to 64 bits; of floating-point numbers their bits; of an array or list
	// the number of elements; of other optional data 1 if they are there; of
	// opaque data their length; of an Operation its number.
	Value uint64
}
