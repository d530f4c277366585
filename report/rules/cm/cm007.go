package cm

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func cm007() *rules.Rule {
	return &rules.Rule{
		ID: "CM-007", Title: "Set-up or end of a connection that is worth a look",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "A connection was refused, or its set-up took more than one try, or it ended with calls unanswered, or by a Terminate. Case b: the " +
			"same hosts lost connections again and again, or the same call was unanswered when two of them in a row ended.",
		Why: "After each loss all calls that were on their way are sent again, and some are carried out twice. A call that takes the " +
			"connection down each time blocks all others of the mount.",
		Advice:    "Read the ladder of the set-up and the end. A reason to reject says what the server lacks: a listener, resources, or permission.",
		Reference: "RFC 8166, section 4.5.3; RFC 8267, section 6.7; InfiniBand Architecture 1.3, volume 1, section 12.6.7; RFC 5044, section 7.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.Disordered).In("b"),
			rules.SilentIf(rules.OneDirection, rules.LostSince).Of("open calls"),
			rules.SilentIf(rules.OneDirection, rules.Lossy).Of("a missing RTU"),
		},
		Limits: "A disconnect without open calls, as an idle client or an unmount makes it, is normal.",
		Cases: []rules.Case{
			{Letter: "b", Title: "lost again and again", Severity: rules.Warning,
				Advice: "Look for the one request that was open each time: a message too long for its receiver (THRESH-010), or memory that was " +
					"taken away (TRANS-004). After a reconnect the server should answer it with ERR_CHUNK."},
		},
		Causes: []string{
			"TRANS-005", "TRANS-012", "THRESH-010", "TRANS-004", "TRANS-003", "TRANS-006", "CREDIT-001", "CREDIT-006", "CREDIT-008", "INV-004",
			"TRANS-011a",
		},
		Needs: []rules.Knowledge{setup.Knowledge()},
		On:    []rules.Event{rules.OnRPC(rules.WithoutReply, rpc007), rules.OnEnd(end007), rules.OnOver(over007)},
		Fires: []rules.Sample{
			{Name: "nobody listens", Over: rules.RoCE, Scene: `
				reject reason=8
				    want CM-007`},
			{Name: "the server rejects", Over: rules.IWARP, Scene: `
				reject
				    want CM-007
				    want TRANS-011a`},
			{Name: "the RTU is missing", Over: rules.RoCE, Scene: `
				connect
				    drop frame 3
				call 1 NFS3 GETATTR
				reply 1
				disconnect
				    want CM-007`},
			{Name: "the server goes away", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				call 3 NFS3 GETATTR
				wait 2s
				disconnect server
				    want CM-007`},
			{Name: "one call that no connection survives", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 WRITE data=bytes(100)
				disconnect server
				    want CM-007
				wait 10ms
				connect
				call 2 again
				disconnect server
				    want CM-007
				    want CM-007b`},
			{Name: "connections lost every second", Scene: `
				repeat 4
				connect
				call $ NFS3 GETATTR
				disconnect server
				    want CM-007
				wait 1s
				end
				want CM-007b`},
		},
		Silent: []rules.Sample{
			{Name: "an idle client disconnects", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				wait 300s
				disconnect client`},
			{Name: "mounted and unmounted again and again", Scene: `
				repeat 6
				connect
				call $ NFS3 GETATTR
				reply $
				disconnect client
				wait 1s
				end`},
			{Name: "the reply is missing from the capture", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    drop
				call 2 NFS3 GETATTR
				reply 2
				disconnect client`},
			{Name: "the capture ends with a call open", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR`},
		},
	}
}

// rpc007 counts the calls that the end of the connection left unanswered.
func rpc007(c *rules.Conn, r *dissect.RPC, _ rules.Say) {
	if r.Reply != nil || r.Call == nil || !closed(c) || !c.Whole(r.Call.Frame()) {
		return
	}
	k := of(c)
	k.open++
	if r.Requester == c.ClientEnd && len(k.xids) < mostXIDs {
		k.xids = append(k.xids, r.XID)
	}
}

func end007(c *rules.Conn, say rules.Say) { endingOf(c, say).end() }

func over007(e *rules.Entry, c *rules.Conn, say rules.Say) {
	endingOf(c, say).again(rules.KeptAcross[history](e.Across, rules.KeepsCM))
}

func endingOf(c *rules.Conn, say rules.Say) *ending {
	w := &ending{c: c, say: say, b: setup.Of(c)}
	if k := ifAny(c); k != nil {
		w.open, w.xids = k.open, k.xids
	}
	return w
}
