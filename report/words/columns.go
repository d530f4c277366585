package words

import "math/bits"

// Columns is how many columns text takes: one a character, which in UTF-8 has
// one byte that does not go on another. Each cell of each row is counted: so bytes are
// looked at eight together, the last ones again if need be, in a loop only for a few.
func Columns[T string | []byte](text T) int {
	const eight, four = 8, 4
	n, rest := len(text), text
	for ; len(rest) >= eight; rest = rest[eight:] {
		n -= goOn(word(rest))
	}
	switch over := len(rest); {
	case over == 0:
	case len(text) >= eight:
		n -= goOn(word(text[len(text)-eight:]) >> (8 * (eight - over)))
	case over >= four:
		n -= goOn(half(rest) | half(rest[over-four:])>>(8*(eight-over))<<32)
	default:
		for i := range len(rest) {
			n -= goOn(uint64(rest[i]))
		}
	}
	return n
}

// goOn is how many of the bytes of a word go on another: those that begin with the bits 10.
func goOn(w uint64) int {
	const firsts = 0x8080808080808080 // the first bit of each
	if w &= firsts &^ (w << 1); w == 0 {
		return 0 // all are ASCII, as almost always
	}
	return bits.OnesCount64(w)
}

// word are the first eight bytes of a text, half the first four.
func word[T string | []byte](t T) uint64 {
	_ = t[7]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
		uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}

func half[T string | []byte](t T) uint64 {
	_ = t[3]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24
}
