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

// Counted is "1 call", "2 calls".
func Counted[N int | int64 | uint32 | uint64](n N, noun string) string {
	return string(AppendCount(nil, int64(n), noun))
}

// CountedAre is "1 call is", "2 calls are".
func CountedAre[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return Counted(n, noun) + " are"
}

// ByteCount is "1 byte", "4096 bytes".
func ByteCount[N int | uint64](n N) string { return string(AppendCount(nil, int64(n), "byte")) }
