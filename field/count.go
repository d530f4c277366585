package field

import "strconv"

// AppendCount appends "1 frame" or "5 frames".
func AppendCount(b []byte, n int64, noun string) []byte {
	b = strconv.AppendInt(b, n, 10)
	b = append(b, ' ')
	b = append(b, noun...)
	if n != 1 {
		b = append(b, 's')
	}
	return b
}

// OctetCount is "1 octet", "4096 octets".
func OctetCount[N int | uint64](n N) string { return string(AppendCount(nil, int64(n), "byte")) }
