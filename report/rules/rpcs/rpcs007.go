package rpcs

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs007() *rules.Rule {
	return &rules.Rule{
		ID: "RPC-007", Title: "Slow call",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "A call took far longer than most calls of its procedure, or of the operation that a COMPOUND is for, on the " +
			"same connection.",
		Why: "Single slow calls are what users feel as stalls. Where the time went tells whether to look at storage, at the network, " +
			"or at flow control.",
		Advice:    "Look at the part that took longest: reading chunks and replies point to the network, the time in between to the server.",
		Reference: "draft-dnoveck-nfsv4-nfsulb-01, section 5.6",
		Limits: "A call is slow that took longer than a time and a multiple of the median, both of which are settings. The first 16 calls of a " +
			"procedure are not judged, nor is what failed, nor COMPOUNDs whose operations cannot be read. Of COMPOUNDs every eighth counts for the median once there are many.",
		Causes: []string{"TRANS-003", "TRANS-006", "TRANS-001", "TRANS-002", "TRANS-010", "CREDIT-010", "CREDIT-009", "CREDIT-005"},
		Speaks: rules.RPCRDMA,
		On: []rules.Event{
			rules.OnMessage(rules.Calling, message007),
			rules.OnAccess(0, access007),
			rules.OnRPC(0, rpc007),
		},
		Fires: []rules.Sample{
			{Name: "one GETATTR of many takes 300 ms", Scene: "\n\t\t\t\tconnect" + several(1, 20, `NFS3 GETATTR object="fh"`) + `
				call 100 NFS3 GETATTR object="fh"
				wait 300ms
				reply 100
				    want RPC-007
				disconnect`},
			{Name: "one READ of many takes 300 ms until its data are written", Scene: "\n\t\t\t\tconnect" +
				several(1, 20, `NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=100}]`) + `
				call 100 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=3000}]
				    write 0x100 3000
				wait 300ms
				reply 100 [SEQUENCE PUTFH READ{data=bytes(3000)}]
				    want RPC-007
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "50 ms are not long", Scene: "\n\t\t\t\tconnect" + several(1, 20, `NFS3 GETATTR object="fh"`) + `
				call 100 NFS3 GETATTR object="fh"
				wait 50ms
				reply 100
				disconnect`},
			{Name: "another operation, of which little is known", Scene: "\n\t\t\t\tconnect" +
				several(1, 20, `NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=100}]`) + `
				call 100 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} COMMIT]
				wait 300ms
				reply 100
				disconnect`},
			{Name: "the first call takes 300 ms", Scene: `
				connect
				call 100 NFS3 GETATTR object="fh"
				wait 300ms
				reply 100` + several(1, 20, `NFS3 GETATTR object="fh"`) + `
				disconnect`},
		},
	}
}

// several are calls with their replies, as lines of a scene.
func several(from, n int, call string) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&b, "\n\t\t\t\tcall %d %s\n\t\t\t\treply %d", i, call, i)
	}
	return b.String()
}

func message007(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if r := m.RPC(); r != nil && m.Role() == dissect.RoleCall {
		of(c).timings.begin(timing{rpc: r, retransmissions: c.Retransmissions, rnrs: c.RNRs})
	}
}

func access007(c *rules.Conn, a *dissect.Access, say rules.Say) {
	if a.RPC != nil {
		if s := of(c).timings.of(a.RPC); s != nil {
			s.moved(a)
		}
	}
}

func rpc007(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	judge007(c, r, say)
	of(c).timings.end(r)
}

func judge007(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	ns, ok := r.Latency()
	h := r.ReplyHeader()
	if !ok || h == nil || h.Denied || h.Accept != 0 || r.CallHeader() == nil {
		return
	}
	long := ns > int64(c.Capture.Config.SlowCall)
	median, slow := of(c).times.add(r, ns, long, c.Capture.Config.SlowFactor)
	if !slow {
		return
	}
	f := say.RPC("", r, "")
	if f == nil {
		return
	}
	s := of(c).timings.of(r)
	if s == nil {
		s = new(timing)
	}
	parts := s.parts(c, r)
	f.Sayf("%s took %s, %s of it %s; most take %s", f.Call, rules.Duration(ns), rules.Duration(parts.longest.ns), parts.longest.name, rules.Duration(median))
	f.See("milliseconds", milliseconds(ns), milliseconds(median)).See("parts", parts.text, nil)
	if s.rpc == r {
		f.See("retransmissions meanwhile", c.Retransmissions-s.retransmissions, nil)
		f.See("RNR NAKs meanwhile", c.RNRs-s.rnrs, nil)
	}
}

// milliseconds is a time in nanoseconds for a machine, to a microsecond.
func milliseconds(ns int64) float64 { return float64(ns/1e3) / 1e3 }
