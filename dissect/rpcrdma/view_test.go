package rpcrdma

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

func TestNodes(t *testing.T) {
	for _, tt := range []struct{ name, hex, want string }{
		{"every list", `01020305 00000001 00000020 00000000
			00000001 00000060 00000001 00000002 0000000000000003 00000000
			00000001 00000001 00000004 00000005 0000000000000006
			00000001 00000000 00000000
			00000001 00000001 00000007 00000001 0000000000000009
			01020305`, `
[4:108] RPC-over-RDMA Version 1: RDMA_MSG, XID 0x01020305, 32 credits
  [4:8] rdma_xid: 0x01020305
  [8:12] rdma_vers: 1
  [12:16] rdma_credit: 32
  [16:20] rdma_proc: RDMA_MSG (0)
  [20:48] Read list: 1 segment
    [20:44] Read chunk: Position 96, 2 bytes
      [20:44] Read segment: handle 0x00000001, 2 bytes at 0x0000000000000003
        [20:24] entry follows: yes (1)
        [24:28] rdma_position: 96
        [28:32] rdma_handle: 0x00000001
        [32:36] rdma_length: 2
        [36:44] rdma_offset: 0x0000000000000003
    [44:48] entry follows: no (0)
  [48:84] Write list: 2 chunks
    [48:72] Write chunk 1: 1 segment, 5 bytes
      [48:52] entry follows: yes (1)
      [52:56] segment count: 1
      [56:72] Segment: handle 0x00000004, 5 bytes at 0x0000000000000006
        [56:60] rdma_handle: 0x00000004
        [60:64] rdma_length: 5
        [64:72] rdma_offset: 0x0000000000000006
    [72:80] Write chunk 2: 0 segments, 0 bytes
      [72:76] entry follows: yes (1)
      [76:80] segment count: 0
    [80:84] entry follows: no (0)
  [84:108] Reply chunk: 1 segment, 1 byte
    [84:88] entry follows: yes (1)
    [88:92] segment count: 1
    [92:108] Segment: handle 0x00000007, 1 byte at 0x0000000000000009
      [92:96] rdma_handle: 0x00000007
      [96:100] rdma_length: 1
      [100:108] rdma_offset: 0x0000000000000009
`},
		{"no Reply chunk", "01020305 00000001 00000020 00000000 00000000 00000000 00000000", `
[4:32] RPC-over-RDMA Version 1: RDMA_MSG, XID 0x01020305, 32 credits
  [4:8] rdma_xid: 0x01020305
  [8:12] rdma_vers: 1
  [12:16] rdma_credit: 32
  [16:20] rdma_proc: RDMA_MSG (0)
  [20:24] Read list: 0 segments
    [20:24] entry follows: no (0)
  [24:28] Write list: 0 chunks
    [24:28] entry follows: no (0)
  [28:32] Reply chunk: none
    [28:32] entry follows: no (0)
`},
		{"fault in the Write list", "01020305 00000001 00000020 00000000 00000000 00000001 00000002 00000000", `
[4:32] RPC-over-RDMA Version 1: RDMA_MSG, XID 0x01020305, 32 credits
  [4:8] rdma_xid: 0x01020305
  [8:12] rdma_vers: 1
  [12:16] rdma_credit: 32
  [16:20] rdma_proc: RDMA_MSG (0)
  [20:24] Read list: 0 segments
    [20:24] entry follows: no (0)
  [24:32] Write list: 0 chunks
    [24:32] Malformed: 12 bytes not decoded !! segment count of a Write chunk is more than the message holds at byte 28
`},
		{"a version", "01020305 00000003 00000020 00000000 00000000", `
[4:20] RPC-over-RDMA: RDMA_MSG, XID 0x01020305, 32 credits
  [4:8] rdma_xid: 0x01020305
  [8:12] rdma_vers: 3 !! rdma_vers is neither 1 nor 2 at byte 8
  [12:16] rdma_credit: 32
  [16:20] rdma_proc: RDMA_MSG (0)
`},
		{"ERR_VERS", "01020305 00000001 00000020 00000004 00000001 00000001 00000002", `
[4:32] RPC-over-RDMA Version 1: RDMA_ERROR, XID 0x01020305, 32 credits
  [4:8] rdma_xid: 0x01020305
  [8:12] rdma_vers: 1
  [12:16] rdma_credit: 32
  [16:20] rdma_proc: RDMA_ERROR (4)
  [20:32] Error: ERR_VERS
    [20:24] rdma_err: ERR_VERS (1)
    [24:28] rdma_vers_low: 1
    [28:32] rdma_vers_high: 2
`},
		{"six bytes", "01020305 0000", `
[4:10] RPC-over-RDMA Version 1 !! transport header shorter than 16 bytes at byte 10
  [4:8] rdma_xid: 0x01020305
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The header begins at byte 4 of a buffer.
			got := check.Outline(Nodes(append([]byte("xxxx"), check.Hex(t, tt.hex)...), 4))
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
