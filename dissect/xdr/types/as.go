package types

// A Format is how a value is written for a person; the @as note names it.
type Format uint8

const (
	Plain   Format = iota // by the type: decimal, name of an Enum, quoted text, bytes
	Decimal               // decimal
	Hex                   // 0x and all digits
	Octal                 // 0 and octal digits, as file modes are written
	Handle                // opaque data as its CRC-32, short enough to compare by eye, and as Wireshark has it
	Time                  // seconds since 1970, with a second word or hyper of nanoseconds if a Struct
	Timeval               // the same, the second word being microseconds
	Seconds               // a duration in seconds; in a Struct with nanoseconds
	Flags                 // the names of the bits, which are the values of an Enum
	Bits                  // the names of the bits of an Array of words, which an Enum numbers
	Bytes                 // hexadecimal bytes
	Text                  // quoted text
	Count                 // only how many bytes
	IPv4                  // an address of 4 bytes
	IPv6                  // an address of 16 bytes
	UUID                  // 16 bytes in the form of RFC 9562
)

// As is a Format and the Enum that it needs.
type As struct {
	Format Format
	// Names are the names of Flags and Bits.
	Names *Names
}

// formats are the formats by the names that notes give them.
var formats = [...]string{
	Plain: "plain", Decimal: "decimal", Hex: "hex", Octal: "octal", Handle: "handle", Time: "time",
	Timeval: "timeval", Seconds: "seconds", Flags: "flags", Bits: "bits", Bytes: "octets", Text: "text",
	Count: "count", IPv4: "ipv4", IPv6: "ipv6", UUID: "uuid",
}

// fits reports whether values of a type can be written so.
func (f Format) fits(t *Type) bool {
	scalar := Int <= t.Kind && t.Kind <= UnsignedHyper || t.Kind == Enum
	opaque := t.Kind == FixedOpaque || t.Kind == Opaque
	switch f {
	case Plain:
		return true
	case Decimal, Octal, Flags:
		return scalar
	case Hex:
		return scalar || opaque
	case Handle:
		return opaque
	case Bytes:
		return opaque || t.Kind == String || t.Kind == Struct && t.Fixed
	case Text:
		return opaque || t.Kind == String
	case Count:
		return opaque || t.Kind == String || t.Kind == Array
	case Time, Timeval, Seconds:
		return scalar && t.Kind != Enum || t.IsTimePair()
	case Bits:
		return scalar || (t.Kind == Array || t.Kind == FixedArray) && t.Elem.Kind == UnsignedInt
	case IPv4:
		return t.Kind == UnsignedInt || t.Kind == Int || t.Kind == FixedOpaque && t.Limit == 4
	case IPv6, UUID:
		return t.Kind == FixedOpaque && t.Limit == 16
	}
	return false
}

// IsTimePair reports whether a type is a Struct of seconds and a part of one.
func (t *Type) IsTimePair() bool {
	if t.Kind != Struct || len(t.Fields) != 2 {
		return false
	}
	a, b := t.Fields[0].Type.Kind, t.Fields[1].Type.Kind
	return Int <= a && a <= UnsignedHyper && Int <= b && b <= UnsignedHyper
}
