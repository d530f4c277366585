package rpc

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/field"
)

func TestSampleCalls(t *testing.T) {
	for name, want := range map[string]Call{
		"nfs3Getattr":   {XID: 0xbb2d105d, Program: 100003, Version: 3, Procedure: 1, Cred: Cred{Flavor: AuthSys, HasSys: true}, Length: 68},
		"nfs3WriteRead": {XID: 0xd22d105d, Program: 100003, Version: 3, Procedure: 7, Cred: Cred{Flavor: AuthSys, HasSys: true}, Length: 68},
		"nfs4Compound":  {XID: 0x5b671161, Program: 100003, Version: 4, Procedure: 1, Cred: Cred{Flavor: AuthSys, HasSys: true}, Length: 68},
		"callback":      {XID: 0xec7e8dd9, Program: 0x40000000, Version: 1, Procedure: 1, Cred: Cred{Flavor: AuthSys, HasSys: true}, Length: 68},
		"krb5iCall": {XID: 0x5edd8cb4, Program: 100003, Version: 4, Procedure: 1, VerfFlavor: RPCSECGSS, Length: 92,
			Cred: Cred{Flavor: RPCSECGSS, GSS: GSSCred{Version: 1, Proc: GSSData, Sequence: 3, Service: ServiceIntegrity}}},
		"krb5Destroy": {XID: 0x81dd8cb4, Program: 100003, Version: 4, Procedure: 0, VerfFlavor: RPCSECGSS, Length: 92,
			Cred: Cred{Flavor: RPCSECGSS, GSS: GSSCred{Version: 1, Proc: GSSDestroy, Sequence: 30, Service: ServiceNone}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := sample(t, name)
			want.RPCVersion, want.Ended = 2, true
			var got Call
			got.Decode(b)
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			for n := range want.Length {
				got.Decode(b[:n])
				if !got.Fault.Bad() || got.Ended || !got.Cut || got.Length > n || n >= 4 && got.XID != want.XID {
					t.Errorf("cut at byte %d: fault %q, Cut = %v, Length = %d", n, got.Fault, got.Cut, got.Length)
				}
			}
			if call, ok := MessageType(b); !call || !ok {
				t.Errorf("MessageType = %v, %v", call, ok)
			}
		})
	}
}

func TestSampleReplies(t *testing.T) {
	for name, want := range map[string]Reply{
		"nfs3GetattrReply": {XID: 0xbb2d105d, Length: 24},
		"nfs3ReadReply":    {XID: 0xdc2d105d, Length: 24},
		"krb5iReply":       {XID: 0x5edd8cb4, VerfFlavor: RPCSECGSS, Length: 52},
	} {
		t.Run(name, func(t *testing.T) { checkReply(t, sample(t, name), want) })
	}
}

func TestReplies(t *testing.T) {
	const accepted = "01020305 00000001 00000000 00000000 00000000 "
	const denied = "01020305 00000001 00000001 "
	for _, tt := range []struct {
		name, hex string
		want      Reply
	}{
		{"PROG_UNAVAIL", accepted + "00000001", Reply{Accept: ProgUnavail}},
		{"PROG_MISMATCH", accepted + "00000002 00000003 00000004", Reply{Accept: ProgMismatch, Low: 3, High: 4}},
		{"PROC_UNAVAIL", accepted + "00000003", Reply{Accept: ProcUnavail}},
		{"GARBAGE_ARGS", accepted + "00000004", Reply{Accept: GarbageArgs}},
		{"SYSTEM_ERR", accepted + "00000005", Reply{Accept: SystemErr}},
		{"verifier of five bytes", "01020305 00000001 00000000 00000002 00000005 0102030405 ffffff 00000000", Reply{VerfFlavor: AuthShort}},
		{"RPC_MISMATCH", denied + "00000000 00000002 00000002", Reply{Denied: true, Reject: RPCMismatch, Low: 2, High: 2}},
		{"AUTH_ERROR", denied + "00000001 0000000e", Reply{Denied: true, Reject: AuthError, Auth: GSSCtxProblem}},
		{"auth_stat of the future", denied + "00000001 00000063", Reply{Denied: true, Reject: AuthError, Auth: 99}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := check.Hex(t, tt.hex)
			tt.want.XID, tt.want.Length = 0x01020305, len(b)
			checkReply(t, b, tt.want)
		})
	}
}

// checkReply compares a decoded reply, and cuts its header at every byte.
func checkReply(t *testing.T, b []byte, want Reply) {
	t.Helper()
	var got Reply
	got.Decode(b)
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for n := range want.Length {
		got.Decode(b[:n])
		if !got.Fault.Bad() || !got.Cut || got.Length > n || n >= 4 && got.XID != want.XID {
			t.Errorf("cut at byte %d: fault %q, Cut = %v, Length = %d", n, got.Fault, got.Cut, got.Length)
		}
	}
	if call, ok := MessageType(b); call || !ok {
		t.Errorf("MessageType = %v, %v", call, ok)
	}
}

func TestCallFaults(t *testing.T) {
	const call = "01020305 00000000 00000002 000186a3 00000003 00000007 "
	const noVerifier = " 00000000 00000000"
	for _, tt := range []struct {
		name, hex string
		want      field.Fault
		cut       bool
	}{
		{"nothing", "", field.Fault{Offset: 0, Reason: "RPC call header cut short"}, true},
		{"a reply", "01020305 00000001 00000002", field.Fault{Offset: 4, Reason: "msg_type is not CALL"}, false},
		{"RPC version 3", "01020305 00000000 00000003", field.Fault{Offset: 8, Reason: "rpcvers is not 2"}, false},
		{"credential of 401 bytes", call + "00000001 00000191", field.Fault{Offset: 28, Reason: "length is above its limit"}, false},
		{"credential longer than the message", call + "00000001 00000190 00000000", field.Fault{Offset: 28, Reason: "length runs past the message"}, true},
		{"credential of 2^32-1 bytes", call + "00000001 ffffffff 00000000", field.Fault{Offset: 28, Reason: "length is above its limit"}, false},
		{"no verifier", call + "00000000 00000000", field.Fault{Offset: 32, Reason: "RPC call header cut short"}, true},
		{"verifier of 404 bytes", call + "00000000 00000000 00000006 00000194", field.Fault{Offset: 36, Reason: "length is above its limit"}, false},
		{"RPCSEC_GSS without a body", call + "00000006 00000000" + noVerifier, field.Fault{Offset: 32, Reason: "RPCSEC_GSS credential cut short"}, false},
		{"RPCSEC_GSS without a handle", call + "00000006 00000010 00000001 00000000 00000001 00000002" + noVerifier, field.Fault{Offset: 48, Reason: "RPCSEC_GSS credential cut short"}, false},
		{"RPCSEC_GSS with a handle beyond its body", call + "00000006 00000015 00000001 00000000 00000001 00000002 00000002 77000000" + noVerifier, field.Fault{Offset: 48, Reason: "length runs past the message"}, false},
		{"RPCSEC_GSS and a bad verifier", call + "00000006 00000000 00000000 00000191", field.Fault{Offset: 32, Reason: "RPCSEC_GSS credential cut short"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Call
			c.Decode(check.Hex(t, tt.hex))
			if c.Fault != tt.want || c.Cut != tt.cut {
				t.Errorf("fault %q, Cut = %v; want %q, %v", c.Fault, c.Cut, tt.want, tt.cut)
			}
		})
	}
}

// TestBadGSSCredentialKeepsTheRest: the length says where the verifier is.
func TestBadGSSCredentialKeepsTheRest(t *testing.T) {
	b := check.Hex(t, "01020305 00000000 00000002 000186a3 00000003 00000007 00000006 00000004 00000001 00000006 00000000")
	var c Call
	c.Decode(b)
	if !c.Fault.Bad() || c.VerfFlavor != RPCSECGSS || c.Length != len(b) || c.Cred.GSS.Version != 1 {
		t.Errorf("%+v, want the verifier and all %d bytes", c, len(b))
	}
}

func TestGSSVersions(t *testing.T) {
	for version, sequence := range map[uint32]uint32{0: 0, 1: 9, 2: 9, 3: 9, 4: 0} {
		b := words(nil, 1, 0, 2, 100003, 4, 1, uint32(RPCSECGSS), 20, version, 0, 9, 1, 0, 0, 0)
		var c Call
		c.Decode(b)
		if c.Fault.Bad() || c.Cred.GSS.Version != version || c.Cred.GSS.Sequence != sequence {
			t.Errorf("version %d: %+v, fault %q; want seq_num %d", version, c.Cred.GSS, c.Fault, sequence)
		}
	}
}

func TestReplyFaults(t *testing.T) {
	for _, tt := range []struct {
		name, hex string
		want      field.Fault
	}{
		{"a call", "01020305 00000000", field.Fault{Offset: 4, Reason: "msg_type is not REPLY"}},
		{"reply_stat 2", "01020305 00000001 00000002", field.Fault{Offset: 8, Reason: "reply_stat is neither MSG_ACCEPTED nor MSG_DENIED"}},
		{"accept_stat 6", "01020305 00000001 00000000 00000000 00000000 00000006", field.Fault{Offset: 20, Reason: "accept_stat is not defined"}},
		{"reject_stat 2", "01020305 00000001 00000001 00000002", field.Fault{Offset: 12, Reason: "reject_stat is neither RPC_MISMATCH nor AUTH_ERROR"}},
		{"verifier of 401 bytes", "01020305 00000001 00000000 00000006 00000191", field.Fault{Offset: 16, Reason: "length is above its limit"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r Reply
			r.Decode(check.Hex(t, tt.hex))
			if r.Fault != tt.want || r.Cut {
				t.Errorf("fault %q, Cut = %v; want %q", r.Fault, r.Cut, tt.want)
			}
		})
	}
}

func TestControlAndProtected(t *testing.T) {
	gss := func(p GSSProc, s GSSService) Cred {
		return Cred{Flavor: RPCSECGSS, GSS: GSSCred{Version: 1, Proc: p, Service: s}}
	}
	for _, tt := range []struct {
		cred               Cred
		control, protected bool
	}{
		{Cred{Flavor: AuthSys}, false, false},
		{gss(GSSData, ServiceNone), false, false},
		{gss(GSSData, ServiceIntegrity), false, true},
		{gss(GSSData, ServicePrivacy), false, true},
		{gss(GSSData, ServiceChannelProt), false, false},
		{gss(GSSInit, ServiceNone), true, false},
		{gss(GSSContinueInit, ServiceNone), true, false},
		{gss(GSSDestroy, ServiceIntegrity), true, false},
	} {
		c := Call{Cred: tt.cred}
		if c.Control() != tt.control || c.Protected() != tt.protected {
			t.Errorf("%+v: Control = %v, Protected = %v; want %v, %v", tt.cred, c.Control(), c.Protected(), tt.control, tt.protected)
		}
	}
}

func TestMessageType(t *testing.T) {
	for _, tt := range []struct {
		hex      string
		call, ok bool
	}{
		{"01020305 00000000", true, true}, {"01020305 00000001", false, true},
		{"01020305 00000002", false, false}, {"01020305 000000", false, false}, {"", false, false},
	} {
		if call, ok := MessageType(check.Hex(t, tt.hex)); call != tt.call || ok != tt.ok {
			t.Errorf("MessageType(%s) = %v, %v; want %v, %v", tt.hex, call, ok, tt.call, tt.ok)
		}
	}
}

// TestAgainstEncoder decodes random headers that the test itself wrote.
func TestAgainstEncoder(t *testing.T) {
	for seed := range uint64(2000) {
		rnd := rand.New(rand.NewPCG(seed, 5531))
		want := Call{XID: rnd.Uint32(), RPCVersion: 2, Ended: true, Program: rnd.Uint32(), Version: rnd.Uint32(), Procedure: rnd.Uint32()}
		want.Cred.Flavor, want.VerfFlavor = Flavor(rnd.IntN(8)), Flavor(rnd.IntN(8))
		body := make([]byte, rnd.IntN(401))
		if want.Cred.Flavor == RPCSECGSS {
			g := GSSCred{1 + uint32(rnd.IntN(3)), GSSProc(rnd.Uint32()), rnd.Uint32(), GSSService(rnd.Uint32())}
			want.Cred.GSS = g
			body = append(words(nil, g.Version, uint32(g.Proc), g.Sequence, uint32(g.Service), 5), "hand!\x00\x00\x00"...)
		}
		if want.Cred.Flavor == AuthSys {
			want.Cred.Sys, want.Cred.HasSys = SysCred{rnd.Uint32(), rnd.Uint32()}, true
			body = opaque(words(nil, rnd.Uint32()), make([]byte, rnd.IntN(maxMachineName+1)))
			body = words(body, want.Cred.Sys.UID, want.Cred.Sys.GID, 0)
		}
		b := words(nil, want.XID, 0, 2, want.Program, want.Version, want.Procedure, uint32(want.Cred.Flavor))
		b = opaque(b, body)
		b = opaque(words(b, uint32(want.VerfFlavor)), make([]byte, rnd.IntN(401)))
		want.Length = len(b)
		var got Call
		got.Decode(append(b, "arguments..."...))
		if got != want {
			t.Fatalf("seed %d\ngot  %+v\nwant %+v", seed, got, want)
		}

		reply := Reply{XID: rnd.Uint32(), Denied: rnd.IntN(2) == 1}
		if reply.Denied {
			reply.Reject = RejectStat(rnd.IntN(2))
			b = words(nil, reply.XID, 1, 1, uint32(reply.Reject))
			if reply.Reject == AuthError {
				reply.Auth = AuthStat(rnd.Uint32())
				b = words(b, uint32(reply.Auth))
			}
		} else {
			reply.VerfFlavor, reply.Accept = Flavor(rnd.Uint32()), AcceptStat(rnd.IntN(6))
			b = opaque(words(nil, reply.XID, 1, 0, uint32(reply.VerfFlavor)), make([]byte, rnd.IntN(401)))
			b = words(b, uint32(reply.Accept))
		}
		if reply.Denied && reply.Reject == RPCMismatch || !reply.Denied && reply.Accept == ProgMismatch {
			reply.Low, reply.High = rnd.Uint32(), rnd.Uint32()
			b = words(b, reply.Low, reply.High)
		}
		reply.Length = len(b)
		var gotReply Reply
		gotReply.Decode(append(b, "results"...))
		if gotReply != reply {
			t.Fatalf("seed %d\ngot  %+v\nwant %+v", seed, gotReply, reply)
		}
	}
}

// A credential of AUTH_SYS that cannot be decoded is no fault of the header, and says
// nothing of who called.
func TestSysCredWrong(t *testing.T) {
	whole := words(opaque(words(nil, 1), []byte("host")), 1000, 100, 0)
	for _, body := range [][]byte{
		{}, whole[:4], whole[:16], // cut
		words(words(nil, 1, 256), make([]uint32, 70)...), // a longer name than may be
		words(nil, 1, 0xffffffff, 0, 0),
	} {
		b := opaque(words(nil, 1, 0, 2, 3, 4, 5, uint32(AuthSys)), body)
		var c Call
		c.Decode(words(b, 0, 0))
		if c.Fault.Bad() || c.Cred.HasSys || c.Cred.Sys != (SysCred{}) {
			t.Errorf("%x: %+v", body, c)
		}
	}
}

func words(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

func opaque(b, body []byte) []byte {
	b = append(words(b, uint32(len(body))), body...)
	return append(b, "\x00\x00\x00"[:(4-len(body)%4)%4]...)
}

func TestDecodeAllocatesNothing(t *testing.T) {
	calls := [][]byte{sample(t, "nfs3Getattr"), sample(t, "krb5iCall"), sample(t, "krb5iCall")[:70]}
	replies := [][]byte{sample(t, "nfs3GetattrReply"), sample(t, "krb5iReply"), sample(t, "krb5iReply")[:30]}
	var c Call
	var r Reply
	label := make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		for _, b := range calls {
			c.Decode(b)
			label = AppendLabel(label[:0], c.Program, c.Version, c.Procedure)
			label = AppendLabel(label, 100300, 1, 7)
		}
		for _, b := range replies {
			r.Decode(b)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkCall(b *testing.B) {
	for _, name := range []string{"nfs3Getattr", "krb5iCall"} {
		message := sample(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var c Call
			for b.Loop() {
				if c.Decode(message); c.Fault.Bad() {
					b.Fatal(c.Fault)
				}
			}
		})
	}
}

func BenchmarkReply(b *testing.B) {
	message := sample(b, "nfs3GetattrReply")
	b.ReportAllocs()
	var r Reply
	for b.Loop() {
		if r.Decode(message); r.Fault.Bad() {
			b.Fatal(r.Fault)
		}
	}
}
