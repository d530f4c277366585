package responder

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// TestRenewal holds what is answered to calls that only renew a lease, and that others are none.
func TestRenewal(t *testing.T) {
	session := bytes.Repeat([]byte{7}, 16)
	sequence := append(append(words(0, 1, 1, 53), session...), words(41, 2, 5, 0)...)
	renew := words(0, 0, 1, 30, 0x1122, 0x3344)
	compound := rpc.Call{Program: 100003, Version: 4, Procedure: 1}
	for _, test := range []struct {
		name      string
		header    rpc.Call
		arguments []byte
		want      []byte
	}{
		{"RENEW", compound, renew, words(0, 0, 1, 30, 0)},
		{"SEQUENCE", compound, sequence, append(append(words(0, 0, 1, 53, 0), session...), words(41, 2, 5, 5, 0)...)},
		{"SEQUENCE with a tag", compound, append(words(3, 0x61626300), sequence[4:]...), append(append(words(0, 0, 1, 53, 0), session...), words(41, 2, 5, 5, 0)...)},
		{"two operations", compound, append(words(0, 1, 2, 53), sequence[16:]...), nil},
		{"PUTROOTFH", compound, words(0, 1, 1, 24), nil},
		{"more behind it", compound, append(bytes.Clone(renew), 0, 0, 0, 0), nil},
		{"NFS 3", rpc.Call{Program: 100003, Version: 3, Procedure: 1}, renew, nil},
	} {
		got, is := renewal(&test.header, test.arguments)
		if is != (test.want != nil) || is && !bytes.Equal(got, test.want) {
			t.Errorf("%s: % x, %v, want % x", test.name, got, is, test.want)
		}
	}
	for n := range sequence {
		if _, is := renewal(&compound, sequence[:n]); is {
			t.Errorf("%d bytes of SEQUENCE are taken for all", n)
		}
	}
	binary.BigEndian.PutUint32(sequence[len(sequence)-4:], 9)
	if _, is := renewal(&compound, sequence); is {
		t.Error("a boolean of 9 is taken")
	}
}
