package rpcrdma

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

func TestVersion2Nodes(t *testing.T) {
	for _, tt := range []struct{ name, hex, want string }{
		{"call", `01020305 00000002 00000020 00000000 00000000 00000c83
			00000000 00000001 00000001 00000c83 00000005 0000000000000006 00000000 00000000 01020305`, `
[0:60] RPC-over-RDMA Version 2: RDMA2_MSG, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_MSG (0)
  [16:20] rdma_direction: CALL (0)
  [20:24] rdma_inv_handle: 0x00000c83
  [24:28] Read list: 0 segments
    [24:28] entry follows: no (0)
  [28:56] Write list: 1 chunk
    [28:52] Write chunk 1: 1 segment, 5 bytes
      [28:32] entry follows: yes (1)
      [32:36] segment count: 1
      [36:52] Segment: handle 0x00000c83, 5 bytes at 0x0000000000000006
        [36:40] rdma_handle: 0x00000c83
        [40:44] rdma_length: 5
        [44:52] rdma_offset: 0x0000000000000006
    [52:56] entry follows: no (0)
  [56:60] Reply chunk: none
    [56:60] entry follows: no (0)
`},
		{"direction 2", "01020305 00000002 00000020 00000000 00000002 00000c83", `
[0:20] RPC-over-RDMA Version 2: RDMA2_MSG, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_MSG (0)
  [16:20] rdma_direction: 2
  [20:20] Malformed: 4 bytes not decoded !! rdma_direction is neither CALL nor REPLY at byte 16
`},
		{"INIT_XCHAR", `01020305 00000002 00000020 00000005 00000000 00000001 00000038
			00000003 00000001 00000006 00002000 abcd0000 00000002 00000004 00000001 00000009 00000003 01020300 00000002 80000002 00000001`, `
[0:84] RPC-over-RDMA Version 2: RDMA2_OPTIONAL, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_OPTIONAL (5)
  [16:84] Option: INIT_XCHAR
    [16:20] rdma_optdir: CALL (0)
    [20:24] rdma_opttype: INIT_XCHAR (1)
    [24:28] rdma_optinfo length: 56
    [28:72] optixc_start: 3 characteristics
      [28:32] count: 3
      [32:48] XCHAR_RBSIZ: 8192 bytes
        [32:36] xchv_which: XCHAR_RBSIZ (1)
        [36:40] xchv_data length: 6
        [40:44] XCHAR_RBSIZ: 8192
        [44:46] xchv_data: abcd
        [46:48] padding: 2 bytes
      [48:60] XCHAR_RQREMINV: TRUE
        [48:52] xchv_which: XCHAR_RQREMINV (2)
        [52:56] xchv_data length: 4
        [56:60] XCHAR_RQREMINV: TRUE (1)
      [60:72] xcharid 9: 010203
        [60:64] xchv_which: 9
        [64:68] xchv_data length: 3
        [68:71] xchv_data: 010203
        [71:72] padding: 1 byte
    [72:84] optixc_nochg: {1, 31, 32}
      [72:76] count: 2
      [76:80] word: 0x80000002
      [80:84] word: 0x00000001
`},
		{"RESP_XCHAR", "01020305 00000002 00000020 00000005 00000001 00000003 00000018 00000001 00000001 00000001 00000004 00000001 00000002", `
[0:52] RPC-over-RDMA Version 2: RDMA2_OPTIONAL, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_OPTIONAL (5)
  [16:52] Option: RESP_XCHAR
    [16:20] rdma_optdir: REPLY (1)
    [20:24] rdma_opttype: RESP_XCHAR (3)
    [24:28] rdma_optinfo length: 24
    [28:36] optrsxc_done: {0}
      [28:32] count: 1
      [32:36] word: 0x00000001
    [36:44] optrsxc_rej: {2}
      [36:40] count: 1
      [40:44] word: 0x00000004
    [44:52] optrsxc_pend: {1}
      [44:48] count: 1
      [48:52] word: 0x00000002
`},
		{"UPD_XCHAR with a wrong value", "01020305 00000002 00000020 00000005 00000001 00000004 00000010 00000003 00000004 00000007 00000001", `
[0:44] RPC-over-RDMA Version 2: RDMA2_OPTIONAL, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_OPTIONAL (5)
  [16:44] Option: UPD_XCHAR
    [16:20] rdma_optdir: REPLY (1)
    [20:24] rdma_opttype: UPD_XCHAR (4)
    [24:28] rdma_optinfo length: 16
    [28:40] XCHAR_BRS: 00000007
      [28:32] xchv_which: XCHAR_BRS (3)
      [32:36] xchv_data length: 4
      [36:40] XCHAR_BRS: 7 !! XCHAR_BRS is not defined at byte 36
    [40:44] optuxc_pendclr: TRUE (1)
`},
		{"UPD_XCHAR cut short", "01020305 00000002 00000020 00000005 00000001 00000004 00000010 00000003 00000004 0000", `
[0:38] RPC-over-RDMA Version 2: RDMA2_OPTIONAL, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_OPTIONAL (5)
  [16:38] Option: UPD_XCHAR
    [16:20] rdma_optdir: REPLY (1)
    [20:24] rdma_opttype: UPD_XCHAR (4)
    [24:28] rdma_optinfo length: 16 !! rdma_optinfo runs past the message at byte 24
    [28:38] rdma_optinfo: 10 bytes
`},
		{"RDMA2_ERR_CANT_REPLY", "01020305 00000002 00000020 00000004 00000003 00000001 00000002 00011170", `
[0:32] RPC-over-RDMA Version 2: RDMA2_ERROR, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_ERROR (4)
  [16:32] Error: RDMA2_ERR_CANT_REPLY
    [16:20] rdma_err: RDMA2_ERR_CANT_REPLY (3)
    [20:24] rdma_processed: TRUE (1)
    [24:28] rdma_segment_index: 2
    [28:32] rdma_length_needed: 70000
`},
		{"RDMA2_ERR_VERS with a direction", "01020305 00000002 00000020 00000004 00000001 00000001 00000001 00000001", `
[0:32] RPC-over-RDMA Version 2: RDMA2_ERROR, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_ERROR (4)
  [16:32] Error: RDMA2_ERR_VERS
    [16:20] direction: REPLY (1)
    [20:24] rdma_err: RDMA2_ERR_VERS (1)
    [24:28] rdma_vers_low: 1
    [28:32] rdma_vers_high: 1
`},
		{"unknown option", "01020305 00000002 00000020 00000005 00000000 00000009 00000003 01020300 01020305", `
[0:32] RPC-over-RDMA Version 2: RDMA2_OPTIONAL, XID 0x01020305, 32 credits
  [0:4] rdma_xid: 0x01020305
  [4:8] rdma_vers: 2
  [8:12] rdma_credit: 32
  [12:16] rdma_proc: RDMA2_OPTIONAL (5)
  [16:32] Option: rdma_opttype 9
    [16:20] rdma_optdir: CALL (0)
    [20:24] rdma_opttype: 9
    [24:28] rdma_optinfo length: 3
    [28:31] rdma_optinfo: 3 bytes
    [31:32] padding: 1 byte
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := check.Outline(Nodes(check.Hex(t, tt.hex), 0))
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
