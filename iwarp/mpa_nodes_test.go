package iwarp

import (
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
)

// What the details view shows. Of the real frame, tshark 4.0 shows the same up
// to the private data, which it leaves undecoded.
func TestStartNodes(t *testing.T) {
	for _, test := range []struct{ name, data, want string }{
		{"siw Request", startVectors[0].bytes, `
[66:86] MPA Request Frame: MPA Request rev 2, no markers, no CRC, IRD 128, ORD 0, 8 bytes of private data
  [66:82] Key: "MPA ID Req Frame"
  [82:83] M: 0
  [82:83] C: 0
  [82:83] R: 0
  [82:83] S: 1
  [82:83] Res: 0x0
  [83:84] Rev: 2
  [84:86] PD_Length: 12
[86:98] Private Data: 12 bytes
  [86:90] Enhanced RDMA Connection Establishment Data (Enhanced Data): IRD 128, ORD 0
    [86:87] A: 0
    [86:87] B: 0
    [86:88] IRD: 128
    [88:89] C: 0
    [88:89] D: 0
    [88:90] ORD: 0
  [90:98] ULP Private Data: 8 bytes: f6ab0e1801010303
`},
		{"rejected, of revision 1", hexReply + "e8 01 0002 6e6f", `
[66:86] MPA Reply Frame: MPA Reply rev 1, rejected, markers wanted, CRC wanted, 2 bytes of private data, flags without a meaning here: 0x08
  [66:82] Key: "MPA ID Rep Frame"
  [82:83] M: 1
  [82:83] C: 1
  [82:83] R: 1
  [82:83] S: 0
  [82:83] Res: 0x8
  [83:84] Rev: 1
  [84:86] PD_Length: 2
[86:88] Private Data: 2 bytes
  [86:88] ULP Private Data: 2 bytes: 6e6f
`},
		{"enhanced, no consumer's data", hexReply + "10 02 0004 8001 ffff", `
[66:86] MPA Reply Frame: MPA Reply rev 2, no markers, no CRC, IRD 1, ORD not negotiated, peer to peer, RTR: zero-length RDMA Write or zero-length RDMA Read
  [66:82] Key: "MPA ID Rep Frame"
  [82:83] M: 0
  [82:83] C: 0
  [82:83] R: 0
  [82:83] S: 1
  [82:83] Res: 0x0
  [83:84] Rev: 2
  [84:86] PD_Length: 4
[86:90] Private Data: 4 bytes
  [86:90] Enhanced RDMA Connection Establishment Data (Enhanced Data): IRD 1, ORD not negotiated, peer to peer, RTR: zero-length RDMA Write or zero-length RDMA Read
    [86:87] A: 1
    [86:87] B: 0
    [86:88] IRD: 1
    [88:89] C: 1
    [88:89] D: 1
    [88:90] ORD: not negotiated (16383)
`},
		{"no private data", hexRequest + "40 01 0000", `
[66:86] MPA Request Frame: MPA Request rev 1, no markers, CRC wanted
  [66:82] Key: "MPA ID Req Frame"
  [82:83] M: 0
  [82:83] C: 1
  [82:83] R: 0
  [82:83] S: 0
  [82:83] Res: 0x0
  [83:84] Rev: 1
  [84:86] PD_Length: 0
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			const at = 66 // Ethernet, IPv4, TCP with time stamps
			b := append(make([]byte, at), check.Hex(t, test.data)...)
			b = append(b, "an FPDU"...)
			nodes := StartNodes(b, at)
			if got := check.Outline(nodes); got != test.want[1:] {
				t.Errorf("got\n%swant\n%s", got, test.want[1:])
			}
			if nodes[0].Key != "mpa" {
				t.Errorf("key %q", nodes[0].Key)
			}
		})
	}
}

// A fault is on the node it lies in, and nowhere else.
func TestStartNodesFault(t *testing.T) {
	siw := startVectors[0].bytes
	for _, test := range []struct{ name, data, want string }{
		{"no frame", "011c 4143 00000000", `
[3:11] MPA Request/Reply Frame !! no key of an MPA Request or Reply
`},
		{"nothing", "", `
[3:3] MPA Request/Reply Frame (MPA Request/Reply) !! MPA Request/Reply cut short at byte 3
`},
		{"too much private data", hexRequest + "00 01 0201 abab", `
[3:23] MPA Request Frame: MPA Request rev 1, no markers, no CRC
  [3:19] Key: "MPA ID Req Frame"
  [19:20] M: 0
  [19:20] C: 0
  [19:20] R: 0
  [19:20] S: 0
  [19:20] Res: 0x0
  [20:21] Rev: 1
  [21:23] PD_Length: 513 !! PD_Length is more than 512
`},
		{"cut in the consumer's data", siw[:len(siw)-6], `
[3:23] MPA Request Frame: MPA Request rev 2, no markers, no CRC, IRD 128, ORD 0, 8 bytes of private data
  [3:19] Key: "MPA ID Req Frame"
  [19:20] M: 0
  [19:20] C: 0
  [19:20] R: 0
  [19:20] S: 1
  [19:20] Res: 0x0
  [20:21] Rev: 2
  [21:23] PD_Length: 12
[23:32] Private Data: 12 bytes, 9 captured !! MPA Request cut short
  [23:27] Enhanced RDMA Connection Establishment Data (Enhanced Data): IRD 128, ORD 0
    [23:24] A: 0
    [23:24] B: 0
    [23:25] IRD: 128
    [25:26] C: 0
    [25:26] D: 0
    [25:27] ORD: 0
  [27:32] ULP Private Data: 8 bytes, 5 captured: f6ab0e1801
`},
		{"cut in the enhanced data", hexRequest + "10 02 000c 0080 00", `
[3:23] MPA Request Frame: MPA Request rev 2, no markers, no CRC, 8 bytes of private data
  [3:19] Key: "MPA ID Req Frame"
  [19:20] M: 0
  [19:20] C: 0
  [19:20] R: 0
  [19:20] S: 1
  [19:20] Res: 0x0
  [20:21] Rev: 2
  [21:23] PD_Length: 12
[23:26] Private Data: 12 bytes, 3 captured
  [23:26] Enhanced RDMA Connection Establishment Data (Enhanced Data) !! Enhanced Data cut short at byte 26
    [23:24] A: 0
    [23:24] B: 0
    [23:25] IRD: 128
    [25:26] C: 0
    [25:26] D: 0
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := append([]byte("..."), check.Hex(t, test.data)...)
			if got := check.Outline(StartNodes(b, 3)); got != test.want[1:] {
				t.Errorf("got\n%swant\n%s", got, test.want[1:])
			}
		})
	}
}

// Others put what they know of the consumer's private data below its node.
func TestStartNodesPrivateData(t *testing.T) {
	for _, v := range startVectors {
		b := check.Hex(t, v.bytes)
		var found []field.Node
		for _, n := range StartNodes(b, 0) {
			if n.Key != "mpa.privatedata" {
				continue
			}
			for _, child := range n.Children {
				if child.Key == "mpa.ulpdata" {
					found = append(found, child)
				}
			}
		}
		if (len(found) == 1) != (v.private != "") || len(found) > 1 {
			t.Errorf("%s: %d nodes of the consumer's private data", v.name, len(found))
		} else if len(found) == 1 && string(b[found[0].Start:found[0].End]) != v.private {
			t.Errorf("%s: bytes %d to %d are not the consumer's private data", v.name, found[0].Start, found[0].End)
		}
	}
}
