package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func xchar011() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-011", Title: "Traffic contradicts what was announced",
		Severity: rules.Warning,
		Since:    "0.6",
		Meaning: "An end announced what it takes, and the traffic does not go by it: a callback that the client does not support, a handle " +
			"invalidated that its owner did not offer, or an end that itself does what it said it would not.",
		Why: "A message of a kind that its receiver has no use for costs it a receive, or the connection. What an end announces and does not " +
			"keep leads its peer to a fallback that nobody needs.",
		Advice: "Compare the values of the two ends with what each of them sends. Let a server ask the client's XCHAR_BRS before it sends " +
			"a callback, and XCHAR_RQREMINV before it invalidates.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 3.2 and 3.3",
		Gates: rules.Gates{
			rules.SilentIf(rules.BeganLate, rules.OneDirection, rules.Lossy, rules.Disordered, rules.AnyCut, rules.Unheard.From(rules.Client)).In("a"),
			rules.SilentIf(rules.LostSince, rules.Unpaired).In("b"),
			rules.SilentIf(rules.Lossy).In("de"),
		},
		Limits: "Case a needs a callback behind an answer to something that the client sent after its announcement. Case b is a note " +
			"if the handle is the one that the call's rdma_inv_handle permits, which is permission enough in " +
			"draft-cel-nfsv4-rpcrdma-version-two-02. That calls have several handles is no contradiction, and INV-005's. Segments " +
			"of at most 4 octets are left out of case c.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a callback that the client does not support", Severity: rules.Error},
			{Letter: "b", Title: "a handle invalidated, and XCHAR_RQREMINV does not say TRUE", Severity: rules.Warning},
			{Letter: "c", Title: "XCHAR_RQREMINV is TRUE, and a handle is shared or lasts", Severity: rules.Warning,
				Advice: "Register memory for each RPC, or announce XCHAR_RQREMINV FALSE: who shares a handle cannot have it invalidated."},
			{Letter: "d", Title: "a session with callbacks, and XCHAR_BRS is BKRQSUP_NONE", Severity: rules.Warning},
			{Letter: "e", Title: "callbacks of a server that announces no support of them", Severity: rules.Warning},
			{Letter: "f", Title: "XCHAR_RQREMINV of a server", Severity: rules.Note,
				Advice: "Nothing is wrong, but look whether the server advertises memory in callbacks: only that could be invalidated."},
		},
		Fields: values.BackChannelFields(),
		Causes: []string{"SEC-001", "XCHAR-007"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations(), setup.ReceivedKnowledge()},
		On:     []rules.Event{onEvent(event011), rules.OnMessage(rules.OtherVersion, message011), rules.OnEnd(end011)},
		Fires: []rules.Sample{
			{Name: "a callback to a client without any support", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [BRS=NONE]
				call 1 NFS4 NULL
				reply 1
				callback 2 CB_NULL
				    want XCHAR-011a
				    want CREDIT-007
				reply 2
				disconnect`},
			{Name: "a callback with chunks, and the client takes small ones", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [BRS=SZLIM]
				call 1 NFS4 NULL
				reply 1
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				callback 2 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    replychunk 0x801 4096
				    want XCHAR-011a replychunk
				reply 2
				    inline
				disconnect`},
			{Name: "the client offers no invalidation, but for this call", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [RBSIZ=8192]
				call 1 NFS3 READ count=100
				    write 0x801 100; inv 0x801
				reply 1 data=bytes(100)
				    want XCHAR-011b
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "one handle in call after call", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [RQREMINV=TRUE]
				call 100 NFS3 NULL
				reply 100
				repeat 8
				call $ NFS3 READ count=100
				    write 0x801 100
				reply $ data=bytes(100)
				end
				call 50 NFS3 READ count=100
				    write 0x801 100
				    want XCHAR-011c write1.1
				reply 50 data=bytes(100)
				disconnect`},
			{Name: "a session with a back channel on a connection without", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [BRS=NONE]
				call 1 NFS4 NULL
				reply 1
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				    want XCHAR-011d
				reply 3
				disconnect`},
			{Name: "the server supports small ones, and sends a large one", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [BRS=GENL]
				optional 11 server INIT_XCHAR [BRS=SZLIM]
				call 1 NFS4 NULL
				reply 1
				callback 2 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]
				    replychunk 0x801 4096
				    want XCHAR-011e
				reply 2
				    inline
				disconnect`},
			{Name: "a server offers invalidation", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 11 server INIT_XCHAR [RQREMINV=TRUE]
				    want XCHAR-011f xchar1.data
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "all as announced", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [RQREMINV=TRUE BRS=SZLIM]
				optional 11 server INIT_XCHAR [RQREMINV=FALSE BRS=SZLIM]
				call 1 NFS3 READ count=100
				    write 0x801 100; inv 0x801
				reply 1 data=bytes(100)
				call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 3
				callback 2 CB_NULL
				reply 2
				disconnect`},
			{Name: "a callback crosses the announcement", Scene: `
				connect version=2
				call 1 NFS4 NULL
				reply 1
				optional 10 client INIT_XCHAR [BRS=NONE]
				callback 2 CB_NULL
				    want CREDIT-007
				reply 2
				disconnect`},
			{Name: "each reply invalidates the handle", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [RQREMINV=TRUE]
				call 100 NFS3 NULL
				reply 100
				repeat 12
				call $ NFS3 READ count=100
				    write 0x801 100; inv 0x801
				reply $ data=bytes(100)
				end
				disconnect`},
			{Name: "the server does not know the extension", Scene: `
				connect version=2
				optional 10 client INIT_XCHAR [BRS=NONE]
				error 10 INVAL_OPTION
				call 1 NFS4 NULL
				reply 1
				call 3 NFS4 COMPOUND [SEQUENCE]
				reply 3
				callback 2 CB_NULL
				    want CREDIT-007
				reply 2
				disconnect`},
		},
	}
}

func event011(c *rules.Conn, e *event, say rules.Say) { contradictionsOf(c, say).event(e) }
func message011(c *rules.Conn, m *dissect.Message, say rules.Say) {
	contradictionsOf(c, say).message(m)
}
func end011(c *rules.Conn, say rules.Say) { contradictionsOf(c, say).end() }
