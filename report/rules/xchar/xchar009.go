package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

func xchar009() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-009", Title: "Receive buffer size changed unsafely",
		Severity: rules.Warning,
		Since:    "0.6",
		Meaning: "An end lowered its receive buffer size although the other had not asked for it or still sent more, or raised it while smaller " +
			"receives were posted; or an end that asked the other for smaller buffers sent more than that all the same.",
		Why: "A Send that finds a receive of another size than its sender went by fails with a length error, and the connection " +
			"is terminated.",
		Advice: "Lower the size only when the other end asks for it, and let that end keep to the lower size from its request on. Announce a " +
			"larger one only when all smaller receives are used up.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 3.1 and 4.2 to 4.4",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut),
			rules.SilentIf(rules.Unheard.From(rules.Receiver)).In("ac"),
		},
		Limits: "In case b the sender is not known to have heard of the lower size. Case d is only likely where a NAK for an invalid " +
			"request is all that the receiver said, and about the first Send that needs the larger buffer.",
		Cases: []rules.Case{
			{Letter: "a", Title: "lowered without a request", Severity: rules.Warning},
			{Letter: "b", Title: "lowered while larger Sends were on their way", Severity: rules.Warning},
			{Letter: "c", Title: "more than was asked for", Severity: rules.Warning,
				Advice: "Let the end that asks for smaller buffers send no more than it asks for, from its REQ_XCHAR on, until that is rejected."},
			{Letter: "d", Title: "raised before the smaller receives were used up", Severity: rules.Error},
		},
		Causes: []string{"XCHAR-001"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations(), setup.ReceivedKnowledge(), requests.Knowledge()},
		On: []rules.Event{
			onEvent(event009),
			requests.OnRefusal(refused009),
			rules.OnMessage(rules.OtherVersion, message009),
			rules.OnEnd(end009),
		},
		Fires: []rules.Sample{
			{Name: "the server wants less, and nobody asked", Scene: begin009 + `
				optional 3 server UPD_XCHAR RBSIZ=4096
				    want XCHAR-009a xchar1.data
				call 4 NFS3 NULL
				reply 4
				disconnect`},
			{Name: "less than the client asked for", Scene: begin009 + `
				optional 3 client REQ_XCHAR [RBSIZ=6144]
				optional 3 server RESP_XCHAR pend=[0]
				optional 4 server UPD_XCHAR RBSIZ=4096 pendclr=TRUE
				    want XCHAR-009a
				call 5 NFS3 NULL
				reply 5
				disconnect`},
			{Name: "a call of 7000 octets crosses the update", Scene: begin009 + `
				optional 3 server UPD_XCHAR RBSIZ=4096
				    want XCHAR-009a
				call 4 NFS3 WRITE data=bytes(7000)
				    want XCHAR-009b
				reply 4
				disconnect`},
			{Name: "the client asks for 4096, and sends 7000", Scene: begin009 + `
				optional 3 client REQ_XCHAR [RBSIZ=4096]
				call 4 NFS3 WRITE data=bytes(7000)
				    want XCHAR-009c 4096+3032
				optional 3 server RESP_XCHAR pend=[0]
				reply 4
				disconnect`},
			{Name: "a smaller receive is still there", Over: rules.RoCE, Scene: begin009 + `
				optional 3 server UPD_XCHAR RBSIZ=16384
				call 4 NFS3 WRITE data=bytes(9000)
				    noack
				nak server invalid
				    want XCHAR-009d frame
				    want TRANS-005
				disconnect`},
			{Name: "a smaller receive is still there", Over: rules.IWARP, Scene: begin009 + `
				optional 3 server UPD_XCHAR RBSIZ=16384
				call 4 NFS3 WRITE data=bytes(9000)
				terminate server 1/2/5
				    want XCHAR-009d frame
				    want TRANS-012
				reset server`},
		},
		Silent: []rules.Sample{
			{Name: "as it was asked for", Scene: begin009 + `
				optional 3 client REQ_XCHAR [RBSIZ=4096]
				optional 3 server RESP_XCHAR pend=[0]
				optional 4 server UPD_XCHAR RBSIZ=4096 pendclr=TRUE
				call 5 NFS3 WRITE data=bytes(3000)
				reply 5
				disconnect`},
			{Name: "rejected, and so the size is what it was", Scene: begin009 + `
				optional 3 client REQ_XCHAR [RBSIZ=4096]
				optional 3 server RESP_XCHAR rej=[0]
				call 4 NFS3 WRITE data=bytes(7000)
				reply 4
				disconnect`},
			{Name: "a larger size than the one that was asked for", Scene: begin009 + `
				optional 3 client REQ_XCHAR [RBSIZ=4096]
				optional 3 server RESP_XCHAR pend=[0]
				optional 4 server UPD_XCHAR RBSIZ=6144 pendclr=TRUE
				call 5 NFS3 WRITE data=bytes(5000)
				reply 5
				disconnect`},
			{Name: "the request is missing from the capture", Scene: begin009 + `
				optional 3 client REQ_XCHAR [RBSIZ=4096]
				    drop
				optional 4 server UPD_XCHAR RBSIZ=4096
				call 5 NFS3 NULL
				reply 5
				disconnect`},
			{Name: "the second large Send is refused, and so for another reason", Over: rules.RoCE, Scene: begin009 + `
				optional 3 server UPD_XCHAR RBSIZ=16384
				call 4 NFS3 WRITE data=bytes(9000)
				reply 4
				call 5 NFS3 WRITE data=bytes(9000)
				    noack
				nak server invalid
				    want TRANS-005
				disconnect`},
			{Name: "a Send that the smaller receive takes is refused", Over: rules.RoCE, Scene: begin009 + `
				optional 3 server UPD_XCHAR RBSIZ=16384
				call 4 NFS3 WRITE data=bytes(7000)
				    noack
				nak server invalid
				    want TRANS-005
				disconnect`},
		},
	}
}

// begin009 is the begin of a scene in which the server announces 8192 octets.
const begin009 = `
				connect version=2 client=none server=none
				call 2 NFS3 NULL
				optional 1 server INIT_XCHAR [RBSIZ=8192]
				reply 2
`

func event009(c *rules.Conn, e *event, say rules.Say)             { resizingOf(c, say).event(e) }
func message009(c *rules.Conn, m *dissect.Message, say rules.Say) { resizingOf(c, say).message(m) }
func refused009(c *rules.Conn, r *requests.Refusal, say rules.Say) {
	resizingOf(c, say).refused(r.Sent, r)
}
func end009(c *rules.Conn, say rules.Say) { resizingOf(c, say).end() }
