package lines

import "github.com/rdmacap/rdmacap/report/words"

// Pad pads what stands in b from start on to width columns, on its left if right is true.
func Pad(b []byte, start, width int, right bool) []byte {
	n := width - words.Columns(b[start:])
	if n <= 0 {
		return b
	}
	b = AppendSpaces(b, n)
	if right {
		copy(b[start+n:], b[start:len(b)-n])
		for i := start; i < start+n; i++ {
			b[i] = ' '
		}
	}
	return b
}

// AppendSpaces appends n spaces. It may write after them too, as far as b has room: b must not be a
// part of other text.
func AppendSpaces(b []byte, n int) []byte {
	const some = "                "
	for ; n > len(some); n -= len(some) {
		b = append(b, some...)
	}
	// As many as the compiler knows cost no call; those that are too many are taken back.
	return append(b, some...)[:len(b)+n]
}
