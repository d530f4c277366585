package filter

import (
	"iter"
	"strconv"
)

// A Kind is what the values of a field are.
type Kind uint8

// The kinds of values. The zero Kind is none.
const (
	Uint     Kind = iota + 1 // a whole number from 0, 64 bits
	Int                      // a whole number, 64 bits
	Duration                 // a span of time, in nanoseconds
	Bool                     // true or false
	String                   // text
	Bytes                    // bytes, in the order of the wire
	Address                  // an IPv4 or IPv6 address
	Enum                     // a number that has names
	Time                     // an instant, in nanoseconds since 1970-01-01 00:00:00 UTC
)

// kindWords are, for each kind, its key, its name with its article, and a literal of it.
var kindWords = [...]struct{ key, name, example string }{
	Uint:     {"uint", "a number", "42"},
	Int:      {"int", "a number", "-1"},
	Duration: {"duration", "a duration", "10ms"},
	Bool:     {"bool", "true or false", "true"},
	String:   {"string", "text in quotes", `"a name"`},
	Bytes:    {"octets", "bytes", "00:1f:ff"},
	Address:  {"address", "an address", "192.0.2.1"},
	Enum:     {"enum", "a name or its number", "1"},
	Time:     {"time", "a time", `"2026-01-31 15:04:05.25"`},
}

// Key is one word for the kind, for programs: "uint".
func (k Kind) Key() string { return kindWords[k].key }

// String is the kind in words, as in "a duration"; "" if there is no such kind.
func (k Kind) String() string {
	if int(k) < len(kindWords) {
		return kindWords[k].name
	}
	return ""
}

// class is the kind whose values it takes: an Enum's are those of a Uint.
func (k Kind) class() Kind {
	if k == Enum {
		return Uint
	}
	return k
}

// signedKey maps the signed numbers to unsigned ones of the same order.
func signedKey(v int64) uint64 { return uint64(v) ^ 1<<63 }

// A Field is something that can be asked about.
type Field struct {
	// Name is what a user writes, in lower case: "nfs.op".
	Name string
	// Kind is what its values are.
	Kind Kind
	// Names gives the names of an Enum's values, in the order in which they are
	// offered. A name may come with several values and a value with several
	// names.
	Names iter.Seq2[string, uint64]
	// Doc says what the field means, in a few words.
	Doc string
	// Hex says that its numbers are written in hexadecimal: what can only be that needs
	// no 0x, as in b82d105d.
	Hex bool
	// Hash is the name of the field, a Uint of the same set, that has hashes of its values of 32
	// bits, "" for none: where a value is eight hexadecimal digits after 0x, as rows show long ones
	// such as file handles, hashes are compared.
	Hash string

	// Seconds says that a number without a unit is seconds, as Alias.Seconds does of another name.
	Seconds bool
}

// example is a literal that the field takes.
func (f *Field) example() string {
	if f.Kind == Enum {
		for name := range f.Names {
			return enumLiteral(name)
		}
	}
	return kindWords[f.Kind].example
}

// enumLiteral writes the name of a value so that it is one word.
func enumLiteral(name string) string {
	for _, c := range name {
		if !inWord(c) {
			return strconv.Quote(name)
		}
	}
	if name == "" || hasDots(name) {
		return strconv.Quote(name)
	}
	return name
}

// sample is a test of the field, for hints.
func (f *Field) sample() string {
	switch f.Kind {
	case Duration:
		return f.Name + " > " + f.example()
	case Address:
		return f.Name + " == " + f.example() + " or " + f.Name + " == 2001:db8::/32"
	}
	return f.Name + " == " + f.example()
}

// sampleSet is a test whether the field is in a set, for hints.
func (f *Field) sampleSet() string { return f.Name + " in {" + f.example() + "}" }
