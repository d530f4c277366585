package rpc

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/field"
)

func TestNodes(t *testing.T) {
	const call = "01020305 00000000 00000002 000186a3 00000003 00000001 "
	for _, tt := range []struct{ name, hex, want string }{
		{"AUTH_SYS call", call + `00000001 00000021 00000007 00000005 686f737431000000 000003e8 00000064 00000001 0000000a ff000000 00000000 00000000`, `
[4:80] Remote Procedure Call: Call, NFS3 GETATTR, XID 0x01020305
  [4:8] xid: 0x01020305
  [8:12] msg_type: CALL (0)
  [12:16] rpcvers: 2
  [16:20] prog: NFS (100003)
  [20:24] vers: 3
  [24:28] proc: GETATTR (1)
  [28:72] Credential: AUTH_SYS
    [28:32] flavor: AUTH_SYS (1)
    [32:36] length: 33
    [36:40] stamp: 0x00000007
    [40:44] length: 5
    [44:49] machinename: "host1"
    [52:56] uid: 1000
    [56:60] gid: 100
    [60:68] gids
      [60:64] length: 1
      [64:68] gids: 10
    [68:69] body: ff
  [72:80] Verifier: AUTH_NONE
    [72:76] flavor: AUTH_NONE (0)
    [76:80] length: 0
`},
		{"AUTH_SYS with too many groups", call + `00000001 00000014 00000007 00000000 00000000 00000000 00000009 00000000 00000000`, `
[4:64] Remote Procedure Call: Call, NFS3 GETATTR, XID 0x01020305
  [4:8] xid: 0x01020305
  [8:12] msg_type: CALL (0)
  [12:16] rpcvers: 2
  [16:20] prog: NFS (100003)
  [20:24] vers: 3
  [24:28] proc: GETATTR (1)
  [28:56] Credential: AUTH_SYS !! AUTH_SYS credential cannot be decoded at byte 52
    [28:32] flavor: AUTH_SYS (1)
    [32:36] length: 20
    [36:40] stamp: 0x00000007
    [40:44] length: 0
    [44:44] machinename: ""
    [44:48] uid: 0
    [48:52] gid: 0
    [52:56] body: 00000009
  [56:64] Verifier: AUTH_NONE
    [56:60] flavor: AUTH_NONE (0)
    [60:64] length: 0
`},
		{"RPCSEC_GSS call, verifier too long", call + `00000006 00000018 00000001 00000000 00000009 00000002 00000002 abcd0000 00000006 00000191`, `
[4:68] Remote Procedure Call: Call, NFS3 GETATTR, XID 0x01020305
  [4:8] xid: 0x01020305
  [8:12] msg_type: CALL (0)
  [12:16] rpcvers: 2
  [16:20] prog: NFS (100003)
  [20:24] vers: 3
  [24:28] proc: GETATTR (1)
  [28:60] Credential: RPCSEC_GSS
    [28:32] flavor: RPCSEC_GSS (6)
    [32:36] length: 24
    [36:40] version: 1
    [40:44] gss_proc: RPCSEC_GSS_DATA (0)
    [44:48] seq_num: 9
    [48:52] service: integrity (2)
    [52:56] length: 2
    [56:58] handle: abcd
  [60:68] Verifier: RPCSEC_GSS
    [60:64] flavor: RPCSEC_GSS (6)
    [64:68] length: 401 !! length is above its limit at byte 64
`},
		{"accepted reply", "01020305 00000001 00000000 00000006 00000004 01020304 00000002 00000003 00000004", `
[4:40] Remote Procedure Call: Reply, PROG_MISMATCH, XID 0x01020305
  [4:8] xid: 0x01020305
  [8:12] msg_type: REPLY (1)
  [12:16] reply_stat: MSG_ACCEPTED (0)
  [16:28] Verifier: RPCSEC_GSS
    [16:20] flavor: RPCSEC_GSS (6)
    [20:24] length: 4
    [24:28] body: 01020304
  [28:32] accept_stat: PROG_MISMATCH (2)
  [32:36] low: 3
  [36:40] high: 4
`},
		{"denied reply", "01020305 00000001 00000001 00000001 0000000d", `
[4:24] Remote Procedure Call: Reply, AUTH_ERROR, XID 0x01020305
  [4:8] xid: 0x01020305
  [8:12] msg_type: REPLY (1)
  [12:16] reply_stat: MSG_DENIED (1)
  [16:20] reject_stat: AUTH_ERROR (1)
  [20:24] auth_stat: RPCSEC_GSS_CREDPROBLEM (13)
`},
		{"RPC version 3", "01020305 00000000 00000003 000186a3", `
[4:20] Remote Procedure Call
  [4:8] xid: 0x01020305
  [8:12] msg_type: CALL (0)
  [12:16] rpcvers: 3 !! rpcvers is not 2 at byte 12
  [16:20] prog: NFS (100003)
`},
		{"reply cut in its verifier", "01020305 00000001 00000000 00000006 00000004 0102", `
[4:24] Remote Procedure Call: Reply, XID 0x01020305
  [4:8] xid: 0x01020305
  [8:12] msg_type: REPLY (1)
  [12:16] reply_stat: MSG_ACCEPTED (0)
  [16:24] Verifier: RPCSEC_GSS
    [16:20] flavor: RPCSEC_GSS (6)
    [20:24] length: 4 !! length runs past the message at byte 20
`},
		{"neither", "01020305 00000002 00000000", `
[4:16] Remote Procedure Call !! neither an RPC call nor a reply at byte 4
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The message begins at byte 4 of a buffer.
			got := check.Outline(Nodes(append([]byte("xxxx"), check.Hex(t, tt.hex)...), 4, ownXID(check.Hex(t, tt.hex))))
			if want := strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestSampleTreesCutShort demands a fault in the tree of every cut header.
func TestSampleTreesCutShort(t *testing.T) {
	for _, s := range samples {
		b := sample(t, s.name)
		whole := Nodes(b, 0, ownXID(b))
		if n := faults(whole); n != 0 {
			t.Errorf("%s: %d faults:\n%s", s.name, n, check.Outline(whole))
		}
		for n := range whole[0].End {
			cut := Nodes(b[:n], 0, ownXID(b))
			if faults(cut) == 0 {
				t.Errorf("%s cut at byte %d: no fault:\n%s", s.name, n, check.Outline(cut))
			}
			if at := part(whole[0].Children, "Verifier"); at > n && part(cut[0].Children, "Verifier") >= 0 {
				t.Errorf("%s cut at byte %d shows a verifier, which begins at %d:\n%s", s.name, n, at, check.Outline(cut))
			}
		}
	}
}

func faults(nodes []field.Node) int {
	n := 0
	for i := range nodes {
		if nodes[i].Fault != "" {
			n++
		}
		n += faults(nodes[i].Children)
	}
	return n
}

// TestScalarsAgainstTables holds the decoded scalars against the tables, on
// random bytes with the words in them that say what follows.
func TestScalarsAgainstTables(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	var c Call
	var r Reply
	for range 200 {
		call := check.Random(rnd, &callTable)
		copy(call[4:], words(nil, msgCall, rpcVersion))
		gssVersion := words(nil, 1+uint32(rnd.IntN(3)))
		gss := check.Random(rnd, &gssTable)
		cred := words(nil, uint32(RPCSECGSS), 20)
		verf := words(nil, rnd.Uint32(), 0)
		c.Decode(bytes.Join([][]byte{call, cred, gssVersion, gss, words(nil, 0), verf}, nil))
		if c.Fault.Bad() {
			t.Fatalf("fault %q", c.Fault)
		}
		check.Scalars(t, &callTable, call, map[string]uint64{"xid": uint64(c.XID), "msg_type": msgCall, "rpcvers": uint64(c.RPCVersion),
			"prog": uint64(c.Program), "vers": uint64(c.Version), "proc": uint64(c.Procedure)})
		check.Scalars(t, &authTable, cred, map[string]uint64{"flavor": uint64(c.Cred.Flavor), "length": 20})
		check.Scalars(t, &authTable, verf, map[string]uint64{"flavor": uint64(c.VerfFlavor), "length": 0})
		g := c.Cred.GSS
		check.Scalars(t, &gssVersionTable, gssVersion, map[string]uint64{"version": uint64(g.Version)})
		check.Scalars(t, &gssTable, gss, map[string]uint64{"proc": uint64(g.Proc), "seq_num": uint64(g.Sequence), "service": uint64(g.Service)})

		reply, accept, mismatch := words(nil, rnd.Uint32(), msgReply, msgAccepted), words(nil, uint32(ProgMismatch)), check.Random(rnd, &rangeTable)
		r.Decode(bytes.Join([][]byte{reply, verf, accept, mismatch}, nil))
		check.Scalars(t, &replyTable, reply, map[string]uint64{"xid": uint64(r.XID), "msg_type": msgReply, "reply_stat": msgAccepted})
		check.Scalars(t, &acceptTable, accept, map[string]uint64{"accept_stat": uint64(r.Accept)})
		check.Scalars(t, &rangeTable, mismatch, map[string]uint64{"low": uint64(r.Low), "high": uint64(r.High)})

		reply, reject, auth := words(nil, rnd.Uint32(), msgReply, msgDenied), words(nil, uint32(AuthError)), check.Random(rnd, &authErrorTable)
		r.Decode(bytes.Join([][]byte{reply, reject, auth}, nil))
		check.Scalars(t, &replyTable, reply, map[string]uint64{"xid": uint64(r.XID), "msg_type": msgReply, "reply_stat": msgDenied})
		check.Scalars(t, &rejectTable, reject, map[string]uint64{"reject_stat": uint64(r.Reject)})
		check.Scalars(t, &authErrorTable, auth, map[string]uint64{"auth_stat": uint64(r.Auth)})
	}
}

func TestTablesAreWellFormed(t *testing.T) {
	for _, table := range Tables() {
		if table.Key == "" || table.Name == "" || table.Title == "" || table.Ref == "" {
			t.Errorf("table %q lacks a name or a reference", table.Name)
		}
		bit := 0
		for _, f := range table.Fields {
			if f.Bit != bit || f.Width == 0 || f.Name == "" || f.Key == "" || f.Doc == "" {
				t.Errorf("%s.%s: bit %d, width %d; want bit %d and every column filled in", table.Key, f.Key, f.Bit, f.Width, bit)
			}
			bit += f.Width
		}
	}
}

// ownXID is the XID that a message begins with, 0 if it is too short.
func ownXID(b []byte) uint32 {
	xid, _ := xdr.WordAt(b, 0)
	return xid
}

// TestLacksXID holds what is a message without its XID, and what has another one.
func TestLacksXID(t *testing.T) {
	for _, c := range []struct {
		words       []uint32
		xid         uint32
		call, lacks bool
	}{
		{[]uint32{0, 2, 100003, 3}, 0x77, true, true},
		{[]uint32{1, 0, 0, 0, 0}, 0x77, false, true},
		{[]uint32{0x77, 0, 2, 100003}, 0x77, false, false},
		{[]uint32{0x78, 1, 0, 0}, 0x77, false, false},
		{[]uint32{1, 0, 2, 100003}, 0x77, false, false}, // a call with the XID 1
		{[]uint32{1, 0, 0, 0}, 1, false, false},         // cannot be told
		{[]uint32{0, 2, 100003}, 0, false, false},
		{[]uint32{1, 1, 1, 0}, 0x77, false, false}, // an XID of 1, or MSG_DENIED
		{[]uint32{1, 0}, 0x77, false, false},
	} {
		var b []byte
		for _, w := range c.words {
			b = binary.BigEndian.AppendUint32(b, w)
		}
		if call, lacks := LacksXID(b, c.xid); call != c.call || lacks != c.lacks {
			t.Errorf("%v behind rdma_xid %#x: call %v, lacks its XID %v", c.words, c.xid, call, lacks)
		}
		if tree := Nodes(b, 0, c.xid); c.lacks != strings.Contains(check.Outline(tree), NoXID) {
			t.Errorf("%v: %s", c.words, check.Outline(tree))
		}
	}
}

// part is where the part with a name begins, -1 if there is none.
func part(list []field.Node, name string) int {
	for _, n := range list {
		if n.Name == name {
			return n.Start
		}
	}
	return -1
}
