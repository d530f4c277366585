package rocev2

// psnMask bounds packet sequence numbers, which are 24 bits wide and wrap
// (IBA 9.7).
const psnMask = 1<<24 - 1

// PSNDiff is the signed distance from b to a in 24-bit arithmetic, from
// -2^23 to 2^23-1: positive where a comes after b. Bits above the 24 are ignored.
func PSNDiff(a, b uint32) int32 {
	// The shift puts the sign of the 24-bit difference where int32 has its own.
	return int32((a-b)<<8) >> 8
}

// PSNAdd is the PSN n packets after psn, or before it where n is negative.
func PSNAdd(psn uint32, n int) uint32 { return uint32(int64(psn)+int64(n)) & psnMask }
