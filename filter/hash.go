package filter

import (
	"strconv"
	"strings"
)

// isHash reports whether a value is the hash of bytes rather than bytes: 0x and
// eight digits, as rows show it. Bytes so short are written with colons or without 0x.
func (f *Field) isHash(value token) bool {
	digits, hex := strings.CutPrefix(value.text, "0x")
	_, err := strconv.ParseUint(digits, 16, 32)
	return f.Hash != "" && hex && len(digits) == 8 && err == nil && value.kind == tokenWord
}

// hashedBy reports whether another field may be its Hash.
func (f *Field) hashedBy(other Field) bool { return other.Name == f.Hash && other.Kind == Uint }

// hashed is the field that a test of bytes is about, if its first value is a hash of
// them: then the test asks for hashes instead.
func (p *parser) hashed(f *Field, t *test, value token) *Field {
	if !f.isHash(value) {
		return f
	}
	i := p.set.index[f.Hash]
	f = &p.set.fields[i]
	t.field, t.takes = i, f.Kind.class()
	p.fields[len(p.fields)-1] = i
	return f
}

// unlike is the error of a value in a set that is a hash among whole values, or the
// other way round; first is what the field of the set was, now what its first value made it.
func unlike(first, now *Field, value token) *Error {
	if first.isHash(value) == (first != now) {
		return nil
	}
	return value.failed("a set is of hashes (0x and eight digits) or of whole values, not of both",
		"write two sets, with or between them")
}

// bareHex reads a number in hexadecimal without 0x, which has a letter or begins with 0: other
// digits are a decimal number. W is why it is none.
func bareHex(s string, w *wrong) (uint64, *wrong) {
	if !strings.ContainsAny(s, "abcdefABCDEF") {
		if strings.HasPrefix(s, "0") && isDigits(s) {
			return 0, &wrong{s + " begins with 0", "write 0x" + s + " if it is hexadecimal, " + strings.TrimLeft(s, "0") + " if it is decimal"}
		}
		return 0, w
	}
	if v, err := strconv.ParseUint(s, 16, 64); err == nil {
		return v, nil
	}
	return 0, w
}
