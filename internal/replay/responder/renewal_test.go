package responder

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

var compounds = rpc.Call{Program: 100003, Version: 4, Procedure: 1}

// TestRenews holds which calls only renew a lease, and what is answered to them.
func TestRenews(t *testing.T) {
	session := bytes.Repeat([]byte{7}, 16)
	sequence := append(append(words(0, 1, 1, 53), session...), words(41, 2, 5, 0)...)
	renew := words(0, 0, 1, 30, 0x1122, 0x3344)
	for _, test := range []struct {
		name      string
		header    rpc.Call
		arguments []byte
		want      []byte
	}{
		{"RENEW", compounds, renew, words(0, 0, 1, 30, 0)},
		{"SEQUENCE", compounds, sequence, append(append(words(0, 0, 1, 53, 0), session...), words(41, 2, 9, 8, 0)...)},
		{"SEQUENCE with a tag", compounds, append(words(3, 0x61626300), sequence[4:]...), append(append(words(0, 3, 0x61626300, 1, 53, 0), session...), words(41, 2, 9, 8, 0)...)},
		{"two operations", compounds, append(words(0, 1, 2, 53), sequence[16:]...), nil},
		{"PUTROOTFH", compounds, words(0, 1, 1, 24), nil},
		{"more behind it", compounds, append(bytes.Clone(renew), 0, 0, 0, 0), nil},
		{"RENEW of NFS 4.1", compounds, append(words(0, 1), renew[8:]...), nil},
		{"SEQUENCE of NFS 4.0", compounds, append(words(0, 0), sequence[8:]...), nil},
		{"NFS 3", rpc.Call{Program: 100003, Version: 3, Procedure: 1}, renew, nil},
	} {
		r, is := renews(&test.header, test.arguments)
		if is != (test.want != nil) || is && !bytes.Equal(r.result(0, 9, 8), test.want) {
			t.Errorf("%s: % x, %v, want % x", test.name, r.result(0, 9, 8), is, test.want)
		}
	}
	for n := range sequence {
		if _, is := renews(&compounds, sequence[:n]); is {
			t.Errorf("%d bytes of SEQUENCE are taken for all", n)
		}
	}
	binary.BigEndian.PutUint32(sequence[len(sequence)-4:], 9)
	if _, is := renews(&compounds, sequence); is {
		t.Error("a boolean of 9 is taken")
	}
}

// TestSlots holds what a lone SEQUENCE is answered with by what the capture says of its session, and by
// how its slot was used.
func TestSlots(t *testing.T) {
	accepted := words(9, 1, 0, 0, 0, 0)
	created := append(append(append(bytes.Clone(accepted), words(0, 0, 1, 43, 0)...), bytes.Repeat([]byte{1}, 16)...), words(1, 0, 0, 4096, 4096, 4096, 8, 64, 0)...)
	sequenced := append(append(append(bytes.Clone(accepted), words(0, 0, 1, 53, 0)...), bytes.Repeat([]byte{2}, 16)...), words(1, 0, 29, 20, 0)...)
	s := newSessions(nil)
	s.learn(created)
	s.learn(sequenced)
	s.granted[[16]byte(bytes.Repeat([]byte{3}, 16))] = granted{} // which only calls have named
	for n := range len(sequenced) - 8 {
		s.learn(sequenced[:n])
	}
	if len(s.granted) != 3 {
		t.Fatalf("%d sessions", len(s.granted))
	}
	for _, test := range []struct {
		name            string
		session         byte
		number, slot    uint32
		last            uint32
		used            bool
		status          uint32
		highest, target uint32
	}{
		{"the first of a connection", 1, 41, 63, 0, false, 0, 63, 63},
		{"the next", 1, 42, 0, 41, true, 0, 63, 63},
		{"the same again", 1, 41, 0, 41, true, 0, 63, 63},
		{"as SEQUENCE said", 2, 1, 29, 0, false, 0, 29, 20},
		{"of a session without a reply", 3, 1, 4, 0, false, 0, 6, 6},
		{"a number that wraps", 1, 0, 0, 0xffffffff, true, 0, 63, 63},
		{"two ahead", 1, 43, 0, 41, true, numbers.StatusSeqMisordered, 0, 0},
		{"one behind", 1, 40, 0, 41, true, numbers.StatusSeqMisordered, 0, 0},
		{"a slot that nobody granted", 1, 1, 64, 0, false, numbers.StatusBadslot, 0, 0},
		{"another session", 9, 1, 0, 0, false, numbers.StatusBadsession, 0, 0},
	} {
		r := renewal{op: numbers.OpSequence, sequence: sequence{slotOf{[16]byte(bytes.Repeat([]byte{test.session}, 16)), test.slot}, test.number, 6}}
		want := r.result(test.status, test.highest, test.target)
		if got := s.answer(&r, test.last, test.used); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", test.name, got, want)
		}
	}
}
