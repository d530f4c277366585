package field

import "strconv"

// AppendSeconds appends nanoseconds as seconds with all their digits, for programs: "-0.000000012".
func AppendSeconds(b []byte, ns int64) []byte {
	if ns < 0 {
		b = append(b, '-')
		ns = -ns
	}
	b = append(strconv.AppendInt(b, ns/1e9, 10), '.')
	return AppendDigits(b, ns%1e9, 1e8)
}

// AppendDigits appends the decimal digits of v from that of the place on, with leading zeros: those
// after a decimal point.
func AppendDigits(b []byte, v, place int64) []byte {
	at := len(b)
	for ; place > 0; place /= 10 {
		b = append(b, '0')
	}
	for i := len(b) - 1; i >= at; i-- { // from after: to divide by 10 costs less than by a place
		b[i] += byte(v % 10)
		v /= 10
	}
	return b
}

// AppendDuration appends nanoseconds for a person: three digits and a unit, "43.6 ms".
func AppendDuration(b []byte, ns int64) []byte {
	place := int64(1) // of the last digit that is shown
	for n := ns; n >= 1000; n /= 10 {
		place *= 10
	}
	ns = (ns + place/2) / place * place
	unit, div := " ns", int64(1)
	switch {
	case ns >= 1e9:
		unit, div = " s", 1e9
	case ns >= 1e6:
		unit, div = " ms", 1e6
	case ns >= 1e3:
		unit, div = " µs", 1e3
	}
	b = strconv.AppendInt(b, ns/div, 10)
	switch whole := ns / div; {
	case div == 1 || whole >= 100:
	case whole >= 10:
		b = append(b, '.', byte('0'+ns%div/(div/10)))
	default:
		part := ns % div / (div / 100)
		b = append(b, '.', byte('0'+part/10), byte('0'+part%10))
	}
	return append(b, unit...)
}
