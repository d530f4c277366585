package hdr

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A rest is what stands after a header that must stand alone.
type rest uint8

const (
	noRest    rest = iota
	listWords      // more words of lists, or of an error
	padding        // up to three zeros: the sender rounded the length up
	payload        // an RPC message, or anything else
)

// leftover says what stands after the header of a message.
func leftover(c *rules.Conn, m *dissect.Message) rest {
	n := m.Length - m.Header.Length
	b := m.Inline()
	switch {
	case n <= 0:
		return noRest
	case n < xdr.WordSize && !c.Cut(m) && len(bytes.TrimLeft(b, "\x00")) == 0:
		return padding
	case len(b) >= 2*xdr.WordSize:
		if xid, _ := xdr.WordAt(b, 0); xid == m.Header.XID {
			if _, ok := rpc.MessageType(b); ok {
				return payload
			}
		}
	}
	if first, ok := xdr.WordAt(b, 0); ok && first <= 1 && n%xdr.WordSize == 0 && !c.Cut(m) {
		return listWords
	}
	return payload
}
