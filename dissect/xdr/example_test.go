package xdr_test

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
)

// A mount is what the XDR language declares as
//
//	struct mount { string host<255>; string path<1024>; unsigned flavors<8>; };
type mount struct {
	host, path []byte // of the bytes that were decoded
	flavors    []uint32
}

// decodeMount reads a mount; the fault is the first thing wrong, with its byte.
func decodeMount(b []byte) (m mount, fault field.Fault) {
	c := xdr.NewCursor(b, "mount cut short")
	m.host = c.Opaque(255)
	m.path = c.Opaque(1024)
	for range c.Count(8, xdr.WordSize) {
		m.flavors = append(m.flavors, c.Uint32())
	}
	return m, c.Fault()
}

func ExampleCursor() {
	message := []byte("\x00\x00\x00\x06" + "client\x00\x00" +
		"\x00\x00\x00\x04" + "/srv" +
		"\x00\x00\x00\x02" + "\x00\x00\x00\x01" + "\x00\x05\xf3\x73")
	m, fault := decodeMount(message)
	fmt.Printf("%s:%s %d, fault: %v\n", m.host, m.path, m.flavors, fault.Bad())

	_, fault = decodeMount(message[:14])
	fmt.Println(fault)

	message[3] = 200 // the length of the host's name
	_, fault = decodeMount(message)
	fmt.Println(fault)
	// Output:
	// client:/srv [1 390003], fault: false
	// mount cut short at byte 14
	// length runs past the message at byte 0
}
