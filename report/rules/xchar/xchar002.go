package xchar

import "github.com/rdmacap/rdmacap/report/rules"

func xchar002() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-002", Title: "Wrong reaction to characteristics",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "A receiver refused a message for a characteristic that it does not know, took one that cannot be decoded for good, or " +
			"left out in a RESP_XCHAR what stood behind a characteristic that it does not know.",
		Why: "New characteristics can be added only if receivers pass over what they do not know and go on with the next. What cannot " +
			"be decoded must not be guessed: the two ends would go by different values.",
		Advice: "Let the receiver ignore an unknown xchv_which, in a REQ_XCHAR reject it, and answer octets that it cannot decode " +
			"with RDMA2_ERR_BAD_XDR.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 2.1, 4.1 and 4.3",
		Gates:     rules.Gates{rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Disordered, rules.AnyCut).Of("a missing error").Since("the operation")},
		Limits: "The draft names no error for XDR that is wrong inside rdma_optinfo; here it is RDMA2_ERR_BAD_XDR. An " +
			"RDMA2_ERR_BAD_XDR for a characteristic that is not defined is only likely to be wrong: the receiver may know it. A " +
			"RDMA2_ERR_INVAL_OPTION counts only if the receiver answered a REQ_XCHAR before. That no error came is said at the end " +
			"of a connection on which the receiver sent messages for 5 s behind it, and where a value is at fault only if the " +
			"receiver announced that characteristic itself, so that it knows it.",
		Cases: []rules.Case{
			{Letter: "a", Title: "an error for a characteristic that is not known", Severity: rules.Error},
			{Letter: "b", Title: "no error for octets that cannot be decoded", Severity: rules.Error},
			{Letter: "c", Title: "nothing is said of what stands behind one that is not known", Severity: rules.Error},
		},
		Causes: []string{"XCHAR-001"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event002), rules.OnEnd(end002)},
		Fires: []rules.Sample{
			{Name: "a characteristic that is not known draws BAD_XDR", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 77=1]
				error 1 BAD_XDR
				    want XCHAR-002a err
				disconnect`},
			{Name: "one that is not known draws INVAL_OPTION from a receiver that knows the operation", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR rej=[0]
				optional 2 client REQ_XCHAR [RBSIZ=8192 77=1]
				error 2 INVAL_OPTION
				    want XCHAR-002a err
				disconnect`},
			{Name: "a support of 9 is done", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [BRS=9]
				    want XCHAR-001c
				optional 1 server RESP_XCHAR done=[0]
				    want XCHAR-002b done
				disconnect`},
			{Name: "a length that runs past the message draws nothing", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM]
				    set xchar2.length 40
				    want XCHAR-001a
				    want XCHAR-002b
				call 2 NFS3 NULL
				reply 2
				wait 6s
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "a Boolean of 2 draws nothing from a server that uses it itself", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RQREMINV=2]
				    want XCHAR-001c
				    want XCHAR-002b
				optional 2 server INIT_XCHAR [RQREMINV=FALSE]
				call 2 NFS3 NULL
				reply 2
				wait 6s
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the response ends at what is not known", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 77=1 BRS=SZLIM]
				optional 1 server RESP_XCHAR done=[0] rej=[1]
				    want XCHAR-002c
				    want XCHAR-005b
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a value that is wrong stands beside one that is not known", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RQREMINV=2 77=1]
				    want XCHAR-001c
				error 1 BAD_XDR
				disconnect`},
			{Name: "the receiver lacks the operation", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 77=1]
				error 1 INVAL_OPTION
				disconnect`},
			{Name: "what is not known is rejected", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 77=1 BRS=SZLIM]
				optional 1 server RESP_XCHAR done=[0] rej=[1] pend=[2]
				disconnect`},
			{Name: "a support of 9 is rejected by a server that need not know of support", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [BRS=9]
				    want XCHAR-001c
				optional 1 server RESP_XCHAR rej=[0]
				disconnect`},
			{Name: "the error may be missing from the capture", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM]
				    set xchar2.length 40
				    want XCHAR-001a
				error 1 BAD_XDR
				    drop
				call 2 NFS3 NULL
				reply 2
				wait 6s
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "the connection ends soon", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM]
				    set xchar2.length 40
				    want XCHAR-001a
				call 2 NFS3 NULL
				reply 2
				disconnect`},
		},
	}
}

func event002(c *rules.Conn, e *event, say rules.Say) { reactionsOf(c, say).event(e) }
func end002(c *rules.Conn, say rules.Say)             { reactionsOf(c, say).end() }
