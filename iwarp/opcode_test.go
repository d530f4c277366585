package iwarp

import "testing"

func TestOpCodes(t *testing.T) {
	for i, c := range []struct {
		name        string
		tagged      bool
		qn          uint32
		send, inval bool
	}{
		{"RDMA Write", true, 0, false, false},
		{"RDMA Read Request", false, 1, false, false},
		{"RDMA Read Response", true, 0, false, false},
		{"Send", false, 0, true, false},
		{"Send with Invalidate", false, 0, true, true},
		{"Send with Solicited Event", false, 0, true, false},
		{"Send with Solicited Event and Invalidate", false, 0, true, true},
		{"Terminate", false, 2, false, false},
		{"Immediate Data", false, 0, false, false},
		{"Immediate Data with Solicited Event", false, 0, false, false},
		{"Atomic Request", false, 1, false, false},
		{"Atomic Response", false, 3, false, false},
		{name: "reserved opcode 0xc"},
		{name: "reserved opcode 0xd"},
		{name: "reserved opcode 0xe"},
		{name: "reserved opcode 0xf"},
	} {
		o := OpCode(i)
		if o.String() != c.name || o.Tagged() != c.tagged || o.QN() != c.qn || o.IsSend() != c.send || o.Invalidates() != c.inval || o.Known() != (i < 12) {
			t.Errorf("%d: %s, tagged %v, QN %d, Send %v, invalidates %v, known %v", i, o, o.Tagged(), o.QN(), o.IsSend(), o.Invalidates(), o.Known())
		}
	}
}
