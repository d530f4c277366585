package rpc

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/field"
)

// Tokens that the Kerberos mechanism makes for each message (RFC 4121, section 4.2.6): one with a
// checksum of what stands elsewhere, and one that wraps it.
const (
	tokenMIC    = 0x0404
	tokenWrap   = 0x0504
	tokenHeader = 16 // bytes that come before the checksum, or before what is wrapped
)

// Flags of a token (RFC 4121, section 4.2.2).
var tokenFlags = [...]string{"SentByAcceptor", "Sealed", "AcceptorSubkey"}

// TokenNode is the tree of a token of Kerberos from byte at to byte end of b. It reports false where
// there is none: of other mechanisms, and of those that set up a context, nothing is known.
func TokenNode(b []byte, at, end int) (n field.Node, ok bool) {
	if at < 0 || end > len(b) || end-at < tokenHeader {
		return n, false
	}
	t := b[at:end]
	add := func(name string, start, stop int, value string) {
		n.Add(field.Node{Name: name, Value: value, Start: at + start, End: at + stop})
	}
	sequence := binary.BigEndian.Uint64(t[8:])
	kind := binary.BigEndian.Uint16(t)
	switch {
	case kind == tokenMIC && string(t[3:8]) == "\xff\xff\xff\xff\xff":
		n = field.Node{Name: "Kerberos MIC token", Start: at, End: end}
	case kind == tokenWrap && t[3] == 0xff:
		n = field.Node{Name: "Kerberos Wrap token", Start: at, End: end}
	default:
		return n, false
	}
	n.Value = fmt.Sprintf("%s, SND_SEQ %d", tokenSender(t[2]), sequence)
	add("TOK_ID", 0, 2, fmt.Sprintf("0x%04x", kind))
	add("Flags", 2, 3, tokenFlagNames(t[2]))
	if kind == tokenWrap {
		add("EC", 4, 6, fmt.Sprint(binary.BigEndian.Uint16(t[4:])))
		add("RRC", 6, 8, fmt.Sprint(binary.BigEndian.Uint16(t[6:])))
	}
	add("SND_SEQ", 8, 16, fmt.Sprint(sequence))
	rest := "SGN_CKSUM"
	switch {
	case kind == tokenWrap && t[2]&2 != 0:
		rest = "Encrypted data"
	case kind == tokenWrap:
		rest = "Data and checksum"
	}
	if len(t) > tokenHeader {
		add(rest, tokenHeader, len(t), field.ByteCount(len(t)-tokenHeader))
	}
	return n, true
}

// tokenSender is who sent a token, by its flags.
func tokenSender(flags byte) string {
	if flags&1 != 0 {
		return "from the acceptor"
	}
	return "from the initiator"
}

// tokenFlagNames are the flags by their names, and their number.
func tokenFlagNames(flags byte) string {
	var names []string
	for i, name := range tokenFlags {
		if flags&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return fmt.Sprintf("0x%02x", flags)
	}
	return fmt.Sprintf("%s (0x%02x)", strings.Join(names, "|"), flags)
}
