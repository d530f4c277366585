package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

// manyNear is how many calls that would have fitted by little are worth a note.
const manyNear = 50

func thresh007() *rules.Rule {
	return &rules.Rule{
		ID: "THRESH-007", Title: "Needless Long Call",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "A call went by a Position-Zero Read chunk although the RPC message, with the transport header before it, would have " +
			"fitted in one Send.",
		Why: "The server has to fetch the call by RDMA Read, which costs a round trip, and the client registers memory for it and " +
			"must invalidate that again.",
		Advice: "Look at how the client decides: by the threshold of the client-to-server direction and the real length of the header, not " +
			"its greatest possible one. A limit of scatter/gather entries may be what forces it.",
		Reference: "RFC 8166, section 3.5.3; RFC 8797, section 3.1; draft-cel-nfsv4-rfc5666-implementation-experience-02, sections 2.2.2 and 3.2; " +
			"draft-cel-nfsv4-rpcrdma-version-two-02, section 2.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.Cut, rules.Protected),
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.AnyCut).Of("messages of version 2"),
		},
		Limits: "Silent for calls that could not be put together. Linux clients leave room for the longest header: a call that would " +
			"have fitted by no more than the configured margin (512 octets) counts only if there are 50 of them.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithoutInline, rpc007)},
		Fires: []rules.Sample{
			{Name: "a call of some hundred octets", Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(600) count=600
				    long 0x801 all
				    want THRESH-007 read1
				reply 1
				disconnect`},
			{Name: "the default of version 2 is larger", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(2000)
				    long 0x801 all
				    want THRESH-007 read1
				reply 2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the first call of version 2, before the limit is known", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 WRITE data=bytes(2000)
				    long 0x801 all
				reply 1
				disconnect`},
			{Name: "the larger buffer is announced behind the call", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE data=bytes(5000)
				    long 0x801 all
				optional 3 server INIT_XCHAR [RBSIZ=8192]
				reply 2
				disconnect`},
			{Name: "the call is longer than the threshold", Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(1200) count=1200
				    long 0x801 all
				reply 1
				disconnect`},
			{Name: "it would have fitted by little", Scene: `
				connect client=4096/4096 server=1024/1024
				call 1 NFS3 WRITE data=bytes(600) count=600
				    long 0x801 all
				reply 1
				disconnect`},
			{Name: "its arguments are protected", Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(600) count=600
				    cred gss service=integrity seq=2 handle=hex(01020304)
				    long 0x801 all
				disconnect`},
			{Name: "no threshold is known", Scene: `
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 WRITE data=bytes(600) count=600
				    long 0x801 all
				reply 2`},
		},
	}
}

func rpc007(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if r.Call == nil || r.Call.Transfer != dissect.Long || !readable(c, r.Call) || c.Opaque(r) {
		return
	}
	needed := shortCall(&r.Call.Header)
	l, known := setup.ReceivedOf(c).LimitOf(r.Call)
	if !known || needed > uint64(l.Octets) {
		return
	}
	if uint64(l.Octets)-needed <= uint64(max(0, c.Capture.Config.LongMargin)) {
		k := of(c)
		if k.near++; k.near < manyNear {
			return
		}
	}
	if f := say.Part("", r, r.Call, ""); f != nil {
		f.Sayf("a call that needs %d octets inline went by a Position-Zero Read chunk; the threshold is %d", needed, l.Octets)
		f.See("octets needed inline", needed, nil).See("inline threshold", l.Octets, nil).See("margin", uint64(l.Octets)-needed, nil)
		for i := range r.Call.Header.Reads {
			if r.Call.Header.Reads[i].Position == 0 {
				f.ReadSegment(r.Call, i)
				break
			}
		}
	}
}
