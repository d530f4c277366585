package wire

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// The bytes of the private data's format (RFC 8797, section 4) after the version.
const (
	atFlags   = 5
	atSend    = 6
	atReceive = 7
	flagR     = 1
)

// PrivateData makes the format of RFC 8797: sizes in bytes, which are rounded down to
// multiples of 1024, from 1024 to 262144; with R the peer may use Send With Invalidate.
func PrivateData(send, receive int, r bool) []byte {
	b := append([]byte(rpcrdma.PrivateDataFormat), rpcrdma.PrivateDataVersion, 0, sizeCode(send), sizeCode(receive))
	if r {
		b[atFlags] = flagR
	}
	return b
}

// sizeCode is how the format writes a size.
func sizeCode(size int) byte { return byte(min(max(size/1024, 1), 256) - 1) }

// EditPrivateData returns private data with other sizes, where they are not 0, and with R
// cleared where r is false. Bytes that are not of the format stay; private data without it
// stay as they are, and told is false.
func EditPrivateData(private []byte, send, receive int, r bool) (edited []byte, told bool) {
	p, ok := rpcrdma.FindPrivateData(private)
	edited = bytes.Clone(private)
	if !ok {
		return edited, false
	}
	of := edited[p.Offset:]
	if send != 0 {
		of[atSend] = sizeCode(send)
	}
	if receive != 0 {
		of[atReceive] = sizeCode(receive)
	}
	if !r {
		of[atFlags] &^= flagR
	}
	return edited, true
}

// Given is what an end gave as private data: InfiniBand and RoCE have zeroes after it, which
// a connection adds again by itself.
func Given(p *script.Peer) []byte {
	b := bytes.TrimRight(p.PrivateData, "\x00")
	if p.Declared != nil {
		// The format may end with zeroes.
		b = p.PrivateData[:max(len(b), min(len(p.PrivateData), p.Declared.Offset+rpcrdma.PrivateDataSize))]
	}
	return b
}
