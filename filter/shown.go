package filter

import "net/netip"

// A Value is a value of a field, for who shows values and does not test them. Which of
// its fields counts follows from the kind.
type Value struct {
	Number uint64     // of a Uint and an Enum; 1 for true; the 64 bits of an Int, a Duration, a Time
	Str    string     // of an Enum its name, "" where the field has only one for the number
	Bytes  []byte     // of Bytes, and of a String where Str is ""; valid as long as the record
	Addr   netip.Addr // of an Address
}

// Shown keeps the values of a field in List, in the order in which the record gives them.
type Shown struct {
	List   []Value
	values Values
}

// Of empties the list, and returns Values that fill it.
func (s *Shown) Of() *Values {
	s.List = s.List[:0]
	s.values = Values{shown: s}
	return &s.values
}

func (s *Shown) number(n uint64) { s.List = append(s.List, Value{Number: n}) }
