package rocev2

// Enough reports whether a message that was decoded says what names the connection
// and its queue pairs, though it may be cut or malformed after that: all but the
// private data and what a capture can do without, or just the communication IDs and
// what little follows them.
func (c *CM) Enough() bool { return !c.Fault.Bad() || c.Fault.Offset >= c.Kind.needed() }

// needed is how much of a MAD says enough, in bytes.
func (k CMKind) needed() int {
	switch k {
	case CMReq:
		return k.behind("exttransport")
	case CMRep:
		depths, _ := k.Bytes("responderresources")
		return depths
	case CMSidrReq, CMSidrRep:
		return MADSize + 1 // of no connection
	}
	return CMRej.behind("reason")
}

// after is the offset after a field.
func (k CMKind) behind(key string) int {
	offset, n := k.Bytes(key)
	return offset + n
}
