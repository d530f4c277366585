package filter

import (
	"encoding/hex"
	"net/netip"
	"strings"
)

// mistaken is the error of a value that the field does not take.
func (f *Field) mistaken(value token, w *wrong) *Error {
	reason, hint := f.Name+" takes "+f.Kind.String(), w.hint
	switch {
	case w.reason != "":
		reason += "; " + w.reason
	case value.kind == tokenText && f.Kind != Time:
		reason += ", not text"
	default:
		reason += ", not " + value.shown()
	}
	if hint == "" {
		hint = "for example " + f.sample()
	}
	return value.failed(reason, hint)
}

// numbers are the keys of what a value says: one, or several for a name of an
// Enum that has several.
func (f *Field) numbers(value token) ([]uint64, *Error) {
	if f.Kind == Enum {
		if keys := f.named(value.text); keys != nil {
			return keys, nil
		}
	}
	if value.kind == tokenText && f.Kind != Time && f.Kind != Enum {
		return nil, f.mistaken(value, &wrong{})
	}
	var key uint64
	var w *wrong
	if f.Seconds {
		if ns, ok := parseSeconds(value.text); ok {
			return []uint64{signedKey(ns)}, nil
		}
	}
	switch f.Kind {
	case Uint:
		if key, w = parseUint(value.text); w != nil && f.Hex {
			key, w = bareHex(value.text, w)
		}
	case Enum:
		if c := value.text; value.kind == tokenText || c[0] < '0' || c[0] > '9' {
			return nil, value.failed(f.Name+" has no value named "+value.shown(), f.suggestName(value.text))
		}
		key, w = parseUint(value.text)
	case Int:
		v, wrong := parseInt(value.text)
		key, w = signedKey(v), wrong
	case Duration:
		v, wrong := parseDuration(value.text)
		key, w = signedKey(int64(v)), wrong
	case Time:
		v, wrong := parseTime(value.text)
		key, w = signedKey(v), wrong
	case Bool:
		key, w = parseBool(value.text)
	}
	if w != nil {
		return nil, f.mistaken(value, w)
	}
	return []uint64{key}, nil
}

func parseBool(s string) (uint64, *wrong) {
	switch strings.ToLower(s) {
	case "true", "1":
		return 1, nil
	case "false", "0":
		return 0, nil
	}
	return 0, &wrong{}
}

// named are the values of an Enum that have the name; case matters only if
// there are names that differ in nothing else.
func (f *Field) named(name string) (exact []uint64) {
	if f.Kind != Enum {
		return nil
	}
	var folded []uint64
	for n, v := range f.Names {
		if n == name {
			exact = append(exact, v)
		} else if strings.EqualFold(n, name) {
			folded = append(folded, v)
		}
	}
	if exact == nil {
		return folded
	}
	return exact
}

// alike are the values of an Enum whose names contain a text, or match a
// regular expression.
func (f *Field) alike(op operator, value token) (keys []uint64, err *Error) {
	if value.kind != tokenText {
		return nil, value.failed("contains and matches take text in quotes", "for example "+f.Name+" contains "+`"`+value.text+`"`)
	}
	t := newText(op, value.text)
	if op == matches {
		if t.regexp, err = pattern(f, value); err != nil {
			return nil, err
		}
	}
	for name, v := range f.Names {
		if t.hasString(name) {
			keys = append(keys, v)
		}
	}
	if keys == nil {
		return nil, value.failed("no value of "+f.Name+" has such a name", f.suggestName(value.text))
	}
	return keys, nil
}

// address is the span of an address or of a prefix.
func (f *Field) address(value token) (span[netip.Addr], *Error) {
	if value.kind == tokenWord {
		if a, err := netip.ParseAddr(value.text); err == nil && a.Zone() == "" {
			a = a.Unmap()
			return span[netip.Addr]{a, a}, nil
		}
		if p, err := netip.ParsePrefix(value.text); err == nil {
			if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 {
				p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
			}
			p = p.Masked()
			return span[netip.Addr]{p.Addr(), lastOf(p)}, nil
		}
	}
	w := &wrong{}
	if strings.IndexFunc(value.text, func(c rune) bool { return c >= 'g' && c <= 'z' || c >= 'G' && c <= 'Z' }) >= 0 {
		w.hint = "host names are not looked up"
	}
	return span[netip.Addr]{}, f.mistaken(value, w)
}

// addressRange is the span from one address to another, or of the one token.
func (f *Field) addressRange(lo, hi token) (span[netip.Addr], *Error) {
	from, err := f.address(lo)
	if err != nil || lo == hi {
		return from, err
	}
	to, err := f.address(hi)
	if err != nil {
		return to, err
	}
	whole := token{at: lo.at, end: hi.end}
	switch {
	case from.lo != from.hi || to.lo != to.hi:
		return to, whole.failed("a range goes from one address to another, without prefixes", "")
	case from.lo.Is4() != to.lo.Is4():
		return to, whole.failed("a range is of IPv4 or of IPv6 addresses", "")
	case to.lo.Less(from.lo):
		return to, whole.failed("nothing is in this range", "the lower value comes first")
	}
	return span[netip.Addr]{from.lo, to.lo}, nil
}

// text is the text or the bytes that a value says: in quotes, or bytes in
// hexadecimal, each two digits, with colons or hyphens between them or nothing,
// with 0x before them or not.
func (f *Field) text(value token) (string, *Error) {
	if value.kind == tokenText {
		return value.text, nil
	}
	if f.Kind == String {
		return "", value.failed(f.Name+" takes text in quotes", "for example "+f.Name+` == "`+value.text+`"`)
	}
	digits := strings.TrimPrefix(value.text, "0x")
	if i := strings.IndexAny(digits, ":-"); i >= 0 {
		parts := strings.Split(digits, digits[i:i+1])
		for _, part := range parts {
			if len(part) != 2 {
				return "", f.mistaken(value, &wrong{hint: "each byte has two digits, as in 00:1f:ff"})
			}
		}
		digits = strings.Join(parts, "")
	}
	data, err := hex.DecodeString(digits)
	if err != nil || len(data) == 0 {
		return "", f.mistaken(value, &wrong{})
	}
	return string(data), nil
}
