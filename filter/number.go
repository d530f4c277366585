package filter

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// A scale is a unit of sizes.
type scale struct {
	unit string
	of   uint64
}

// scales are the units of sizes. There is no K, which is 1000 to some and 1024
// to others.
var scales = [...]scale{
	{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
}

// A wrong is why a literal is not what its field takes. Without a reason it is
// something else altogether.
type wrong struct{ reason, hint string }

// parseUint reads a number from 0: decimal, with 0x hexadecimal, with 0o octal,
// with 0b binary; a decimal one may have a fraction and a unit, as in 1.5MiB, if
// the whole is a whole number.
func parseUint(s string) (uint64, *wrong) {
	if len(s) > 1 && s[0] == '0' {
		if base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'b': 2}[s[1]]; base != 0 {
			v, err := strconv.ParseUint(s[2:], base, 64)
			return v, numberError(s, err)
		}
	}
	digits := strings.TrimRightFunc(s, func(c rune) bool { return c < '0' || c > '9' })
	of := uint64(1)
	if unit := s[len(digits):]; unit != "" && digits != "" {
		of = scaleOf(unit)
		if of == 0 {
			return 0, unknownUnit(unit)
		}
	}
	whole, fraction, dot := strings.Cut(digits, ".")
	if dot && (of == 1 || fraction == "") {
		return 0, &wrong{reason: s + " is not a whole number"}
	}
	v, err := strconv.ParseUint(whole, 10, 64)
	if err != nil {
		return 0, numberError(s, err)
	}
	if whole[0] == '0' && strings.Trim(whole, "0") != "" { // octal to C and Wireshark, decimal to most
		rest := strings.TrimLeft(s, "0")
		return 0, &wrong{s + " begins with 0", "write 0o" + rest + " if it is octal, " + rest + " if it is decimal"}
	}
	high, v := bits.Mul64(v, of)
	part, ok := fractionOf(fraction, of)
	v, carry := bits.Add64(v, part, 0)
	switch {
	case !ok:
		return 0, &wrong{reason: s + " is not a whole number"}
	case high != 0 || carry != 0:
		return 0, &wrong{reason: s + " is more than 64 bits can hold"}
	}
	return v, nil
}

// fractionOf is the decimal fraction of that whole, if it is a whole number.
func fractionOf(digits string, of uint64) (part uint64, ok bool) {
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return 0, true
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || len(digits) > 19 { // 10^19 is the highest power in 64 bits
		return 0, false
	}
	power := uint64(1)
	for range digits {
		power *= 10
	}
	high, low := bits.Mul64(v, of)
	part, rest := bits.Div64(high, low, power) // high < power, because v < power
	return part, rest == 0
}

func scaleOf(unit string) uint64 {
	for _, s := range scales {
		if s.unit == unit {
			return s.of
		}
	}
	return 0
}

func unknownUnit(unit string) *wrong {
	for _, c := range unit {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return &wrong{}
		}
	}
	return &wrong{unit + " is not a unit of sizes", "k, M, G and T are powers of 1000; KiB, MiB, GiB and TiB of 1024"}
}

// numberError is why strconv did not take the digits of s.
func numberError(s string, err error) *wrong {
	if err == nil {
		return nil
	}
	if errors.Is(err, strconv.ErrRange) {
		return &wrong{reason: s + " is more than 64 bits can hold"}
	}
	from, to, _ := strings.Cut(s, "-")
	switch {
	case !isDigits(to):
		return &wrong{}
	case from == "":
		return &wrong{reason: s + " is below 0"}
	case isDigits(from):
		return &wrong{hint: "a range is written " + from + ".." + to + ", in braces after in"}
	}
	return &wrong{}
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// parseInt reads a number with or without a sign, otherwise as parseUint.
func parseInt(s string) (int64, *wrong) {
	digits, negative := strings.CutPrefix(s, "-")
	v, w := parseUint(digits)
	switch {
	case w != nil:
		return 0, w
	case negative && v <= 1<<63:
		return -int64(v), nil // the lowest number is its own negative
	case negative || v > 1<<63-1:
		return 0, &wrong{reason: s + " is more than 64 bits with a sign can hold"}
	}
	return int64(v), nil
}

// parseSeconds reads seconds without a unit, to the nanosecond; not ok if they are
// something else, or more than 64 bits can hold.
func parseSeconds(s string) (ns int64, ok bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if !isDigits(whole + fraction) {
		return 0, false
	}
	d, err := time.ParseDuration(s + "s")
	return int64(d), err == nil
}

// parseDuration reads a duration with its unit, or 0.
func parseDuration(s string) (time.Duration, *wrong) {
	d, err := time.ParseDuration(s)
	if err == nil {
		return d, nil
	}
	const units = "units are ns, us (µs), ms, s, m and h, as in 10ms"
	if v, bare := strconv.ParseFloat(s, 64); bare == nil && v == v {
		return 0, &wrong{s + " has no unit", units}
	}
	return 0, &wrong{}
}

// timeLayouts are the ways to write a time, without the zone; seconds may have
// a fraction.
var timeLayouts = [...]string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02"}

// parseTime reads an instant as RFC 3339 has it, the T of which may be a space,
// and of which seconds, time of day and zone may be left out: the zone is UTC
// then. It returns nanoseconds since 1970.
func parseTime(s string) (int64, *wrong) {
	s = strings.Replace(strings.TrimSuffix(s, " UTC"), " ", "T", 1)
	for _, layout := range timeLayouts {
		t, err := time.Parse(layout, s)
		if err != nil {
			t, err = time.Parse(layout+"Z07:00", s)
		}
		if err != nil {
			continue
		}
		// What lies further off is not in 64 bits of nanoseconds.
		if t.Year() < 1678 || t.Year() > 2261 {
			return 0, &wrong{reason: "years are 1678 to 2261"}
		}
		return t.UnixNano(), nil
	}
	return 0, &wrong{}
}
