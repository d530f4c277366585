package iwarp

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// checkPDUNodes looks for what every tree keeps: it goes forward, leaves no
// captured byte out, names no field twice, and has the fault that Decode
// found, once.
func checkPDUNodes(t *testing.T, b []byte, length int) {
	t.Helper()
	const at = 7
	shown := append(make([]byte, at), b...)
	nodes := PDUNodes(shown, at, at+length)
	p := decodedPDU(b, length)
	end, keys := at, map[string]bool{}
	for _, n := range nodes {
		if n.Start != end || n.End < n.Start {
			t.Fatalf("%x of %d: node %s from %d to %d, after %d\n%s", b, length, n.Name, n.Start, n.End, end, check.Outline(nodes))
		}
		end = n.End
		for _, c := range n.Children {
			if c.Start < n.Start || c.End > n.End {
				t.Fatalf("%x of %d: %s lies outside %s", b, length, c.Name, n.Name)
			}
			if keys[c.Key] && c.Key != "rdmap.term.reserved" {
				t.Fatalf("%x of %d: two nodes %s", b, length, c.Key)
			}
			keys[c.Key] = true
		}
	}
	// A DDP header that was cut is shown as far as its fields are whole.
	if len(b) >= p.PayloadStart && end != len(shown) {
		t.Fatalf("%x of %d: nodes end at byte %d of %d\n%s", b, length, end, len(shown), check.Outline(nodes))
	}
	want := 0
	if p.Fault.Bad() {
		want = 1
	}
	if got := countNodeFaults(nodes); got != want || want == 1 && !strings.Contains(check.Outline(nodes), p.Fault.Reason) {
		t.Fatalf("%x of %d: fault %q, %d nodes with one\n%s", b, length, p.Fault, got, check.Outline(nodes))
	}
}

func TestPDUNodesCutAtEveryByte(t *testing.T) {
	for _, v := range pduVectors {
		b := v.bytes(t)
		for n := range len(b) + 1 {
			checkPDUNodes(t, b[:n:n], v.wire(t))
			checkPDUNodes(t, b[:n:n], n)
		}
	}
}

func TestPDUNodes(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"Write, not the last", `
[0:14] DDP/RDMAP Header: RDMA Write to STag 0xf4398103, TO 0x771aad1182d66000
  [0:1] T: tagged (1)
  [0:1] L: 0
  [0:1] Rsvd: 0x0
  [0:1] DV: 1
  [1:2] RV: 1
  [1:2] Rsv: 0x0
  [1:2] OpCode: RDMA Write (0x0)
  [2:6] STag: 0xf4398103
  [6:14] TO: 0x771aad1182d66000
[14:24] Payload: 1428 bytes, 10 captured
`},
		{"Send with Invalidate", `
[0:18] DDP/RDMAP Header: Send with Invalidate MSN 21, invalidate STag 0xc522a301
  [0:1] T: untagged (0)
  [0:1] L: 1
  [0:1] Rsvd: 0x0
  [0:1] DV: 1
  [1:2] RV: 1
  [1:2] Rsv: 0x0
  [1:2] OpCode: Send with Invalidate (0x4)
  [2:6] Invalidate STag: 0xc522a301
  [6:10] QN: Sends (0)
  [10:14] MSN: 21
  [14:18] MO: 0
[18:66] Payload: 48 bytes
`},
		{"Read Request", `
[0:18] DDP/RDMAP Header: RDMA Read Request MSN 1
  [0:1] T: untagged (0)
  [0:1] L: 1
  [0:1] Rsvd: 0x0
  [0:1] DV: 1
  [1:2] RV: 1
  [1:2] Rsv: 0x0
  [1:2] OpCode: RDMA Read Request (0x1)
  [2:6] Reserved: 0x00000000
  [6:10] QN: RDMA Read Requests and Atomic Requests (1)
  [10:14] MSN: 1
  [14:18] MO: 0
[18:46] RDMA Read Request Header: 262144 bytes from STag 0xf4398102, TO 0x6a1aad1183d7a000 into STag 0x9847a401, TO 0xff291a66827a7000
  [18:22] Data Sink STag: 0x9847a401
  [22:30] Data Sink Tagged Offset: 0xff291a66827a7000
  [30:34] RDMA Read Message Size: 262144
  [34:38] Data Source STag: 0xf4398102
  [38:46] Data Source Tagged Offset: 0x6a1aad1183d7a000
`},
		{"Terminate", `
[0:18] DDP/RDMAP Header: Terminate
  [0:1] T: untagged (0)
  [0:1] L: 1
  [0:1] Rsvd: 0x0
  [0:1] DV: 1
  [1:2] RV: 1
  [1:2] Rsv: 0x0
  [1:2] OpCode: Terminate (0x7)
  [2:6] Reserved: 0x00000000
  [6:10] QN: Terminate (2)
  [10:14] MSN: 1
  [14:18] MO: 0
[18:22] Terminate Control: DDP, Tagged Buffer Error: Base or bounds violation (bits in the order of a little-endian compiler, as Linux siw sends them)
  [18:19] Layer: DDP (0x1)
  [18:19] EType: Tagged Buffer Error (0x1)
  [19:20] Error Code: Base or bounds violation (0x01)
  [20:21] M: 1
  [20:21] D: 1
  [20:21] R: 0
  [20:21] Reserved: 0x00
  [21:22] Reserved: 0x00
[22:24] DDP Segment Length: 200
  [22:24] DDP Segment Length: 200
[24:38] Terminated DDP Header: RDMA Read Response to STag 0x56a22400, TO 0x000055dc46a77170
  [24:25] T: tagged (1)
  [24:25] L: 1
  [24:25] Rsvd: 0x0
  [24:25] DV: 1
  [25:26] RV: 1
  [25:26] Rsv: 0x0
  [25:26] OpCode: RDMA Read Response (0x2)
  [26:30] STag: 0x56a22400
  [30:38] TO: 0x000055dc46a77170
`},
	} {
		v := findPDU(t, c.name)
		b := v.bytes(t)
		if got := check.Outline(PDUNodes(b, 0, v.wire(t))); got != c.want[1:] {
			t.Errorf("%s:\n%s\nwant%s", c.name, got, c.want)
		}
	}
}

// The nodes of messages that are not in the captures, without those of the DDP
// header.
func TestPDUMessageNodes(t *testing.T) {
	for _, c := range []struct{ hex, want string }{
		{findPDU(t, "Atomic Request, CmpSwap").hex, `
[18:70] Atomic Operation Request Header: CmpSwap, request 81, at STag 0x00000c82, TO 0x1122334455667788
  [18:22] Reserved: 0x0000000
  [21:22] AOpCode: CmpSwap (0x2)
  [22:26] Request Identifier: 81
  [26:30] Remote STag: 0x00000c82
  [30:38] Remote Tagged Offset: 0x1122334455667788
  [38:46] Add or Swap Data: 0x0102030405060708
  [46:54] Add or Swap Mask: 0x1112131415161718
  [54:62] Compare Data: 0x2122232425262728
  [62:70] Compare Mask: 0x3132333435363738
`},
		{findPDU(t, "Atomic Response").hex, `
[18:30] Atomic Operation Response Header: request 81, value before 0x4142434445464748
  [18:22] Original Request Identifier: 81
  [22:30] Original Remote Data Value: 0x4142434445464748
`},
		{findPDU(t, "Immediate Data").hex, `
[18:26] Immediate Data: 0x5152535455565758
  [18:26] Immediate Data: 0x5152535455565758
`},
		{"414700000000000000020000000100000000 0102e000 002e 41410000000000000001 0000000b 00000000" +
			"70593500000055cc2a250000 00002000 1b248600000055c9d2429000", `
[18:22] Terminate Control: RDMAP, Remote Protection Error: Access rights violation
  [18:19] Layer: RDMAP (0x0)
  [18:19] EType: Remote Protection Error (0x1)
  [19:20] Error Code: Access rights violation (0x02)
  [20:21] M: 1
  [20:21] D: 1
  [20:21] R: 1
  [20:22] Reserved: 0x0000
[22:24] DDP Segment Length: 46
  [22:24] DDP Segment Length: 46
[24:42] Terminated DDP Header: RDMA Read Request MSN 11
  [24:25] T: untagged (0)
  [24:25] L: 1
  [24:25] Rsvd: 0x0
  [24:25] DV: 1
  [25:26] RV: 1
  [25:26] Rsv: 0x0
  [25:26] OpCode: RDMA Read Request (0x1)
  [26:30] Reserved: 0x00000000
  [30:34] QN: RDMA Read Requests and Atomic Requests (1)
  [34:38] MSN: 11
  [38:42] MO: 0
[42:70] Terminated RDMA Read Request Header: 8192 bytes from STag 0x1b248600, TO 0x000055c9d2429000 into STag 0x70593500, TO 0x000055cc2a250000
  [42:46] Data Sink STag: 0x70593500
  [46:54] Data Sink Tagged Offset: 0x000055cc2a250000
  [54:58] RDMA Read Message Size: 8192
  [58:62] Data Source STag: 0x1b248600
  [62:70] Data Source Tagged Offset: 0x000055c9d2429000
`},
		{"414700000000000000020000000100000000 0102e000 002e 4141", `
[18:22] Terminate Control: RDMAP, Remote Protection Error: Access rights violation !! Terminate is not as long as its control bits say
  [18:19] Layer: RDMAP (0x0)
  [18:19] EType: Remote Protection Error (0x1)
  [19:20] Error Code: Access rights violation (0x02)
  [20:21] M: 1
  [20:21] D: 1
  [20:21] R: 1
  [20:22] Reserved: 0x0000
[22:26] Bytes not read: 4 bytes
`},
	} {
		b := check.Hex(t, c.hex)
		if got := check.Outline(PDUNodes(b, 0, len(b))[1:]); got != c.want[1:] {
			t.Errorf("%s:\n%s\nwant%s", c.hex, got, c.want)
		}
		checkPDUNodes(t, b, len(b))
	}
}
