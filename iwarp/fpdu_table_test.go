package iwarp

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
	"github.com/rdmacap/rdmacap/internal/long"
)

// The two FPDUs whose CRC RFC 5044 gives (figures 5 and 6): one has a marker
// before it, the other right after its DDP header.
const (
	markedFPDU = "00000000 002a 4143 00000000 00000000 00000001 00000000" +
		"000000000000000000000000 000000000000000000000000 52239983"
	splitFPDU = "002a 4143 00000000 00000000 00000002 00000000 00000014" +
		"000000000000000000000000 000000000000000000000000 84925898"
)

// topNodes writes the outline of the nodes without what is below them.
func topNodes(nodes []field.Node) string {
	var sb strings.Builder
	for i := range nodes {
		n := nodes[i]
		n.Children = nil
		sb.WriteString(check.Outline([]field.Node{n}))
	}
	return sb.String()
}

// appendFPDU builds an FPDU around a ULPDU for a stream whose next byte is at
// position pos, with a marker at every multiple of 512 if there are any. CRC
// and pad are given.
func appendFPDU(pos int, markers bool, ulpdu []byte, pad byte, crc string) (raw []byte, first int) {
	plain := binary.BigEndian.AppendUint16(nil, uint16(len(ulpdu)))
	plain = append(plain, ulpdu...)
	for len(plain)%4 != 0 {
		plain = append(plain, pad)
	}
	plain = append(plain, crc...)
	first, start := -1, 0
	for i, v := range plain {
		if at := pos + len(raw); markers && at%512 == 0 {
			if first < 0 {
				first = len(raw)
			}
			pointer := 0
			if i > 0 {
				pointer = len(raw) - start
			}
			raw = append(raw, 0, 0, byte(pointer>>8), byte(pointer))
		}
		if i == 0 {
			start = len(raw)
		}
		raw = append(raw, v)
	}
	return raw, first
}

func sendOf(n int) []byte {
	ulpdu := []byte{0x41, 0x43, 17: 0}
	ulpdu[13] = 5 // MSN
	return append(ulpdu, bytes.Repeat([]byte{0xaa}, n)...)
}

func TestFPDUNodes(t *testing.T) {
	build := func(pos int, markers bool, n int, pad byte) ([]byte, int) {
		return appendFPDU(pos, markers, sendOf(n), pad, "\x01\x02\x03\x04")
	}
	for _, test := range []struct {
		name  string
		data  func() ([]byte, int)
		fault string
		want  string
	}{
		{"RFC 5044 figure 5", func() ([]byte, int) { return check.Hex(t, markedFPDU), 0 }, "", `
[5:9] Marker: FPDUPTR 0
[9:11] MPA FPDU: ULPDU of 42 bytes
[11:29] DDP/RDMAP Header: Send MSN 1
[29:53] Payload: 24 bytes
[53:57] CRC: 0x52239983
`},
		{"RFC 5044 figure 6, CRC wrong", func() ([]byte, int) { return check.Hex(t, splitFPDU), 20 }, "CRC is wrong", `
[5:7] MPA FPDU: ULPDU of 42 bytes
[7:25] DDP/RDMAP Header: Send MSN 2
[25:29] Marker: FPDUPTR 20
[29:53] ULPDU: bytes 18 to 41 of 42
[53:57] CRC: 0x84925898 !! CRC is wrong
`},
		{"pad", func() ([]byte, int) { return build(0, false, 5, 0) }, "", `
[5:7] MPA FPDU: ULPDU of 23 bytes
[7:25] DDP/RDMAP Header: Send MSN 5
[25:30] Payload: 5 bytes
[30:33] Padding: 3 bytes
[33:37] CRC: 0x01020304
`},
		{"pad that is not zero", func() ([]byte, int) { return build(0, false, 7, 0xee) }, "", `
[5:7] MPA FPDU: ULPDU of 25 bytes
[7:25] DDP/RDMAP Header: Send MSN 5
[25:32] Payload: 7 bytes
[32:33] Padding: 1 byte, not zero: ee
[33:37] CRC: 0x01020304
`},
		{"markers before and in the ULPDU", func() ([]byte, int) { return build(1024, true, 1000, 0) }, "", `
[5:9] Marker: FPDUPTR 0
[9:11] MPA FPDU: ULPDU of 1018 bytes
[11:29] DDP/RDMAP Header: Send MSN 5
[29:517] ULPDU: bytes 18 to 505 of 1018
[517:521] Marker: FPDUPTR 508
[521:1029] ULPDU: bytes 506 to 1013 of 1018
[1029:1033] Marker: FPDUPTR 1020
[1033:1037] ULPDU: bytes 1014 to 1017 of 1018
[1037:1041] CRC: 0x01020304
`},
		{"marker in the DDP header", func() ([]byte, int) { return build(512-8, true, 20, 0) }, "", `
[5:7] MPA FPDU: ULPDU of 38 bytes
[7:13] ULPDU: bytes 0 to 5 of 38
[13:17] Marker: FPDUPTR 8
[17:49] ULPDU: bytes 6 to 37 of 38
[49:53] CRC: 0x01020304
`},
		{"marker before the CRC", func() ([]byte, int) { return build(512-40, true, 19, 0) }, "", `
[5:7] MPA FPDU: ULPDU of 37 bytes
[7:25] DDP/RDMAP Header: Send MSN 5
[25:44] Payload: 19 bytes
[44:45] Padding: 1 byte
[45:49] Marker: FPDUPTR 40
[49:53] CRC: 0x01020304
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw, first := test.data()
			b := append([]byte("....."), raw...)
			nodes := FPDUNodes(append(b, "next"...), 5, len(b), first, test.fault)
			if got := topNodes(nodes); got != test.want[1:] {
				t.Errorf("got\n%swant\n%s", got, test.want[1:])
			}
			checkNodeOrder(t, nodes, 5, len(b))
		})
	}
}

// The fields of MPA's own, and where they are.
func TestFPDUFields(t *testing.T) {
	b := check.Hex(t, markedFPDU)
	b[1], b[3] = 7, 0xfc
	nodes := FPDUNodes(b, 0, len(b), 0, "")
	own := append(nodes[:2:2], nodes[len(nodes)-1])
	const want = `[0:4] Marker: FPDUPTR 252
  [0:2] Reserved: 0x0007
  [2:4] FPDUPTR: 252
[4:6] MPA FPDU: ULPDU of 42 bytes
  [4:6] ULPDU_Length: 42
[48:52] CRC: 0x52239983
  [48:52] CRC: 0x52239983
`
	if got := check.Outline(own); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if own[0].Key != "mpa.marker" || own[1].Children[0].Key != "mpa.fpdu.ulpdu_length" || own[2].Children[0].Key != "mpa.crc.crc" {
		t.Errorf("%+v", own)
	}
}

// A ULPDU of no bytes is a whole FPDU; what is wrong with it is for DDP to say.
func TestFPDUNodesOfNothing(t *testing.T) {
	b := check.Hex(t, "0000 0000 00000000")
	nodes := FPDUNodes(b, 0, len(b), -1, "")
	last := nodes[len(nodes)-1]
	if nodes[0].Value != "ULPDU of 0 bytes" || last.Key != "mpa.crc" || last.Start != 4 || countNodeFaults(nodes) != 1 {
		t.Errorf("\n%s", check.Outline(nodes))
	}
}

// However an FPDU was cut, and wherever its markers stand, its nodes are in
// order and cover all that was captured but for a CRC that is not whole.
func TestFPDUNodesCutAtEveryByte(t *testing.T) {
	for _, size := range []int{0, 1, 6, 600} {
		for pos := 0; pos < 512; pos += 4 {
			if pos > 8 && pos%long.Pick(20, 4) != 0 {
				continue
			}
			raw, first := appendFPDU(pos, true, sendOf(size), 0, "\x01\x02\x03\x04")
			if pos == 4 { // once without
				raw, first = appendFPDU(pos, false, sendOf(size), 0, "\x01\x02\x03\x04")
			}
			for n := range len(raw) + 1 {
				nodes := FPDUNodes(raw[:n:n], 0, len(raw), first, "")
				checkNodeOrder(t, nodes, 0, n)
				end := nodes[len(nodes)-1].End
				missing := n - end
				if missing < 0 || missing > 3 || n == len(raw) && missing != 0 || n < 2 && nodes[0].Fault == "" {
					t.Fatalf("ULPDU of %d bytes at %d, cut at byte %d:\n%s", 18+size, pos, n, topNodes(nodes))
				}
				for i := 1; i < len(nodes); i++ {
					if nodes[i].Start != nodes[i-1].End {
						t.Fatalf("ULPDU of %d bytes at %d, cut at byte %d:\n%s", 18+size, pos, n, topNodes(nodes))
					}
				}
				if n == len(raw) && countNodeFaults(nodes) != 0 {
					t.Fatalf("ULPDU of %d bytes at %d:\n%s", 18+size, pos, topNodes(nodes))
				}
			}
		}
	}
}

// FuzzFPDUNodes gives FPDUNodes any bytes and any place of the first marker.
func FuzzFPDUNodes(f *testing.F) {
	f.Add(check.Hex(f, markedFPDU), 0)
	f.Add(check.Hex(f, splitFPDU), 20)
	raw, first := appendFPDU(100, true, sendOf(1200), 0, "\x01\x02\x03\x04")
	f.Add(raw, first)
	f.Add(raw, first+1) // not where a marker can be
	f.Fuzz(func(t *testing.T, b []byte, first int) {
		if first < -1 || first > 1<<20 {
			return
		}
		const at = 3
		shown := append(make([]byte, at), b...)
		checkNodeOrder(t, FPDUNodes(append(shown, 1, 2, 3), at, len(shown), first, "CRC is wrong"), at, len(shown))
	})
}
