package exhibit

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/field"
)

// gssHead is what RPCSEC_GSS has before arguments or results, from byte at to byte end of b: with
// integrity their length, and the sequence number (RFC 2203, section 5.3.2.2).
func gssHead(b []byte, at, end int) field.Node {
	n := field.Node{Name: "RPCSEC_GSS length and sequence number", Value: field.ByteCount(end - at), Start: at, End: end}
	for _, name := range [...]string{"length", "seq_num"} {
		if end-at < 4 {
			break
		}
		n.Add(field.Node{Name: name, Value: strconv.FormatUint(uint64(binary.BigEndian.Uint32(b[at:])), 10), Start: at, End: at + 4})
		at += 4
	}
	return n
}

// gssToken is what stands from byte at to the end of b, with the token in it where it is one with its
// length before it.
func gssToken(b []byte, name string, at int) field.Node {
	n := field.Node{Name: name, Value: field.ByteCount(len(b) - at), Start: at, End: len(b)}
	const length = 4
	if len(b)-at < length {
		return n
	}
	size := binary.BigEndian.Uint32(b[at:])
	if at += length; uint64(size) > uint64(len(b)-at) {
		return n
	}
	if token, is := rpc.TokenNode(b, at, at+int(size)); is {
		n.Add(field.Node{Name: "length", Value: strconv.FormatUint(uint64(size), 10), Start: at - length, End: at})
		n.Add(token)
	}
	return n
}
