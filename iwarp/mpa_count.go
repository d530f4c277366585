package iwarp

import "strconv"

// appendOctetCount appends "1 octet", "512 octets".
func appendOctetCount(dst []byte, n int) []byte {
	dst = strconv.AppendInt(dst, int64(n), 10)
	if n == 1 {
		return append(dst, " octet"...)
	}
	return append(dst, " octets"...)
}

// octetCount is "1 octet", "512 octets".
func octetCount(n int) string { return string(appendOctetCount(nil, n)) }

// capturedCount is a number of octets on the wire, as in "12 octets", with what
// was captured of them if that is less, as in "12 octets, 5 captured".
func capturedCount(length, captured int) string {
	if captured >= length {
		return octetCount(length)
	}
	return octetCount(length) + ", " + strconv.Itoa(captured) + " captured"
}
