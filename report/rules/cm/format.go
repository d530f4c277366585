package cm

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// Offsets of the bytes of the private data's format (RFC 8797, section 4).
const (
	identifierSize = 4
	versionAt      = 4
	flagsAt        = 5
	sizesAt        = 6
)

// swappedIdentifier is the Format Identifier by a sender that forgot the byte order.
const swappedIdentifier = "\x18\x0e\xab\xf6"

// A declared is what the private data of an end hold.
type declared struct {
	data []byte
	// at is where the Format Identifier begins, -1 if there is none.
	at int
	// whole says that all bytes of the format follow.
	whole bool
	// version is the format's, 0 if that is not there.
	version uint8
	// flags, send and receive are the bytes after it, if whole.
	flags, send, receive uint8
}

// read looks at an end's private data; not ok if they are not in the capture.
func read(c *rules.Conn, e flow.End) (t declared, ok bool) {
	t.data = c.Ends[e&1].PrivateData
	if t.data == nil {
		return t, false
	}
	t.at = bytes.Index(t.data, []byte(rpcrdma.PrivateDataFormat))
	if t.at < 0 {
		return t, true
	}
	f := t.data[t.at:]
	if len(f) > versionAt {
		t.version = f[versionAt]
	}
	if t.whole = len(f) >= rpcrdma.PrivateDataSize; t.whole {
		t.flags, t.send, t.receive = f[flagsAt], f[sizesAt], f[sizesAt+1]
	}
	return t, true
}

// valid reports whether a receiver takes it for the format.
func (t *declared) valid() bool { return t.whole && t.version == rpcrdma.PrivateDataVersion }

// empty reports whether there is nothing in the private data but zeros.
func (t *declared) empty() bool { return len(bytes.Trim(t.data, "\x00")) == 0 }

// swapped reports whether it begins with the Format Identifier in the wrong order.
func (t *declared) swapped() bool { return bytes.HasPrefix(t.data, []byte(swappedIdentifier)) }

// shown are the first bytes of the private data, for a person.
func (t *declared) shown() string {
	const most = 16
	n := len(bytes.TrimRight(t.data, "\x00"))
	if n > most {
		return fmt.Sprintf("% x ...", t.data[:most])
	}
	return fmt.Sprintf("% x", t.data[:min(len(t.data), max(n, rpcrdma.PrivateDataSize))])
}

// what names private data that are not of the format.
func (t *declared) what() string {
	switch {
	case len(t.data) == 0:
		return "no private data"
	case t.empty():
		return "private data that is all zeros"
	case t.swapped():
		return "private data whose Format Identifier has its bytes in the wrong order"
	}
	return fmt.Sprintf("private data of another format, beginning with 0x%0*x", 2*min(identifierSize, len(t.data)), front(t.data))
}

// front is the number that the first bytes are.
func front(b []byte) uint32 {
	var word [identifierSize]byte
	n := copy(word[:], b)
	return binary.BigEndian.Uint32(word[:]) >> (8 * (identifierSize - n))
}

// aboutEnd begins a finding about what an end told.
func aboutEnd(report rules.Reporter, b *setup.Handshake, letter string, e flow.End) *rules.Finding {
	t := declaredAt(b, e)
	return report.Moment(letter, t.Ref, t.Time, &e, "")
}

// declaredAt is when an end told.
func declaredAt(b *setup.Handshake, e flow.End) flow.Moment {
	t := &b.Declared[e&1]
	return flow.Moment{Ref: t.Frame, Time: t.Time}
}
