package link

import "strconv"

// dscpName names a differentiated services code point as the registry of IANA does.
func dscpName(v uint64) string {
	class, rest := v>>3, v&7
	switch {
	case v == 1:
		return "LE" // RFC 8622
	case v == 44:
		return "VOICE-ADMIT" // RFC 5865
	case v == 46:
		return "EF" // RFC 3246
	case rest == 0 && class <= 7:
		return "CS" + strconv.FormatUint(class, 10) // RFC 2474
	case class >= 1 && class <= 4 && rest%2 == 0:
		return "AF" + strconv.FormatUint(10*class+rest/2, 10) // RFC 2597
	}
	return ""
}
