package v2

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func v2009() *rules.Rule {
	return &rules.Rule{
		ID: "V2-009", Title: "Negotiation discipline",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "Two peers did not come to a version as version 2 asks for: a requester sends one valid message of version 2, and waits; a " +
			"responder that does not know it answers with ERR_VERS and the same XID; and then both keep to what was found.",
		Why: "A responder of version 1 has one receive of 1024 octets for a peer that it knows nothing of. What it cannot read as ERR_VERS, or as a " +
			"message that deserves it, ends the mount: the requester waits, or tries for ever.",
		Advice: "Let the requester send nothing behind its first message until that is answered, and take its version from the range of the " +
			"ERR_VERS. Let the responder refuse versions before it looks at anything else of a header.",
		Reference: "draft-cel-nfsv4-rpcrdma-version-two-02, section 6; RFC 8166, section 4.5.1",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.Unpaired, rules.Cut, rules.AnyCut),
			rules.SilentIf(rules.Unheard.From(rules.Server)).In("a"),
		},
		Limits: "An INIT_XCHAR and one call behind it are let pass, and two calls are CREDIT-002's. Once a call was answered another " +
			"version is HDR-002's. Cases c and d are only likely right behind the answer, which may have crossed the message. " +
			"Silence is judged of a call only, and behind the configured time (15 s).",
		Cases: []rules.Case{
			{Letter: "a", Title: "more than one message before the first answer that is no error", Severity: rules.Error},
			{Letter: "b", Title: "version 2 is not refused with ERR_VERS", Severity: rules.Error},
			{Letter: "c", Title: "the requester goes on with a version outside the range", Severity: rules.Error},
			{Letter: "d", Title: "another version after version 2 was found", Severity: rules.Error},
			{Letter: "e", Title: "the first message of version 2 is not valid", Severity: rules.Error},
		},
		Wide:   true,
		Causes: []string{"HDR-003", "V2-001", "V2-004", "V2-007b"},
		Speaks: rules.Version2,
		On:     []rules.Event{rules.OnMessage(0, message009), rules.OnEnd(end009)},
		Fires: []rules.Sample{
			{Name: "two operations and a call at once", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				optional 2 client REQ_XCHAR [RBSIZ=8192]
				call 3 NFS3 NULL
				    want V2-009a
				optional 1 server INIT_XCHAR [RBSIZ=8192]
				optional 2 server RESP_XCHAR done=[0]
				reply 3
				disconnect`},
			{Name: "an error of version 1", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				    version 1
				    want V2-009b vers
				wait 10ms
				version 1
				call 1 again
				reply 1
				disconnect`},
			{Name: "ERR_CHUNK from a responder of version 1", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 BAD_XDR
				    want V2-009b err
				wait 10ms
				version 1
				call 1 again
				reply 1
				disconnect`},
			{Name: "a responder of version 1 says nothing", Scene: `
				connect version=2
				call 1 NFS3 NULL
				    want V2-009b
				wait 5s
				version 1
				call 2 NFS3 NULL
				reply 2
				wait 20s
				disconnect`},
			{Name: "version 2 once more", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				wait 10ms
				call 2 NFS3 NULL
				    want V2-009c vers
				error 2 ERR_VERS 1 1
				disconnect`},
			{Name: "version 1 after both ends began with version 2", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				optional 2 server INIT_XCHAR [RBSIZ=8192]
				wait 10ms
				version 1
				call 3 NFS3 NULL
				    want V2-009d vers
				reply 3
				disconnect`},
			{Name: "the first message cannot be decoded", Scene: `
				connect version=2
				call 1 NFS3 NULL
				    direction 7
				    want V2-001d
				    want V2-009e
				error 1 BAD_XDR
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "version 2, with a call behind an INIT_XCHAR", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				call 2 NFS3 NULL
				optional 1 server INIT_XCHAR [RBSIZ=8192]
				reply 2
				call 3 NFS3 NULL
				call 4 NFS3 NULL
				reply 3
				reply 4
				disconnect`},
			{Name: "version 2 is refused, then version 1", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				version 1
				call 1 again
				reply 1
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "an INIT_XCHAR is refused by its version, and one by its option", Scene: `
				connect A version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				error 1 ERR_VERS 1 1
				version 1
				call 2 NFS3 NULL
				reply 2
				disconnect
				connect B version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				error 1 INVAL_OPTION
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the answer to the first message is missing", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR done=[0]
				    drop
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the ERR_VERS is missing", Scene: `
				connect version=2
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				    drop
				wait 10ms
				version 1
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "an INIT_XCHAR needs no answer, and another call may be slow", Scene: `
				connect A version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				wait 10ms
				version 1
				call 2 NFS3 NULL
				reply 2
				wait 20s
				disconnect
				connect B version=2
				call 3 NFS3 COMMIT
				wait 5s
				version 1
				call 4 NFS3 NULL
				reply 4
				wait 5s
				call 5 NFS3 NULL
				reply 5
				disconnect`},
			{Name: "only the REQ is missing, so that the call is told behind its answer", Scene: `
				connect version=2
				    drop frame 1
				call 1 NFS3 NULL
				error 1 ERR_VERS 1 1
				version 1
				call 1 again
				reply 1
				disconnect`},
			{Name: "the snap length cuts what may be an answer", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192]
				optional 2 server INIT_XCHAR [RBSIZ=8192]
				optional 3 client REQ_XCHAR [RBSIZ=8192]
				call 4 NFS3 NULL
				optional 3 server RESP_XCHAR done=[0]
				reply 4
				disconnect
				snap 100`},
			{Name: "the capture began late", Scene: `
				version 2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 2 client REQ_XCHAR [RBSIZ=8192]
				call 3 NFS3 NULL
				optional 1 server RESP_XCHAR done=[0]
				optional 2 server RESP_XCHAR done=[0]
				reply 3
				disconnect`},
		},
	}
}

func message009(c *rules.Conn, m *dissect.Message, say rules.Say) {
	t := of(c).negotiation
	if t == nil {
		if !spoken(m) {
			return
		}
		t = &negotiation{c: c, say: say}
		of(c).negotiation = t
	}
	if t.answers(m); !t.over && !t.cut && m.Header.Length >= rpcrdma.FixedSize && c.RolesKnown {
		t.message(m)
	}
}

func end009(c *rules.Conn, say rules.Say) {
	if t := of(c).negotiation; t != nil && t.first.Seen() {
		t.end()
	}
}
