package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar005() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-005", Title: "Subsets do not fit the characteristics",
		Severity: rules.Warning,
		Since:    "0.6",
		Meaning: "The subsets done, rejected and pending of a RESP_XCHAR overlap, leave out a characteristic that was requested, or name one " +
			"that was not; or the subset of an INIT_XCHAR that will not change names one that the message does not have.",
		Why: "Whether the change was made is not known to the end that asked for it. It may send more than the other takes, or never " +
			"use what it got.",
		Advice: "Give each requested characteristic exactly one bit, in one of the three subsets. Count elements from 0, in the order of the " +
			"message, and take the least significant bit of a word as the first.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 2.1, 4.1 and 4.3",
		Gates:     rules.Gates{rules.SilentIf(rules.LostSince).Of("a response").Since("the request")},
		Limits: "The draft does not say which bit of a word is the first. Cases a to c are said only if the subsets fit neither order, case d if they " +
			"fit the other one only. A response is judged if its request is in the capture and can be decoded, and asks for at most 1024.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a characteristic in two subsets", Severity: rules.Warning},
			{Letter: "b", Title: "a requested characteristic in no subset", Severity: rules.Warning},
			{Letter: "c", Title: "an element that there is not", Severity: rules.Error},
			{Letter: "d", Title: "the most significant bit of a word is the first", Severity: rules.Note,
				Advice: "Agree on the order of the bits with the other end: one that takes the least significant bit first, as NFS version 4 " +
					"does, understands something else."},
		},
		Causes: []string{"XCHAR-002c", "XCHAR-001"},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event005)},
		Fires: []rules.Sample{
			{Name: "done and pending", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				optional 1 server RESP_XCHAR done=[0 1] pend=[1]
				    want XCHAR-005a 28+20
				disconnect`},
			{Name: "nothing is said of the second", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				optional 1 server RESP_XCHAR done=[0]
				    want XCHAR-005b
				disconnect`},
			{Name: "elements are counted from 1", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				optional 1 server RESP_XCHAR done=[1] rej=[2]
				    want XCHAR-005b
				    want XCHAR-005c
				disconnect`},
			{Name: "a third of two will not change", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM] nochg=[1 2]
				    want XCHAR-005c nochg
				disconnect`},
			{Name: "bits are counted from the most significant on", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM] nochg=[31]
				    want XCHAR-005d nochg
				optional 2 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				optional 2 server RESP_XCHAR done=[31] rej=[30]
				    want XCHAR-005d
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "words that are not there are zero", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				optional 1 server RESP_XCHAR done=[0] rej=[1]
				disconnect`},
			{Name: "words of zeros behind the last element", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR hex(00000003 00000001 00000000 00000000 00000000 00000000)
				disconnect`},
			{Name: "thirty-three elements", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 9=1 RBSIZ=8192]
				optional 1 server RESP_XCHAR hex(00000002 00000000 00000001 00000001 ffffffff 00000000)
				disconnect`},
			{Name: "the request is missing from the capture", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				    drop
				optional 1 server RESP_XCHAR done=[0]
				call 3 NFS3 NULL
				reply 3
				disconnect`},
		},
	}
}

func event005(c *rules.Conn, e *event, say rules.Say) {
	switch {
	case e.op == nil || !e.op.sound:
	case e.op.kind == rpcrdma.InitXchar:
		unchanging(c, say, e)
	case e.op.kind == rpcrdma.RespXchar && e.to != nil && e.to.sound && e.to.count <= mostElements && !c.LostSince(e.to.Ref):
		disposed(c, say, e)
	}
}

// unchanging judges the subset of an INIT_XCHAR.
func unchanging(c *rules.Conn, say rules.Say, e *event) {
	o := e.option
	n := leastFirst.beyond(o, o.NoChange, e.op.count)
	if n < 0 {
		return
	}
	letter := "c"
	if mostFirst.beyond(o, o.NoChange, e.op.count) < 0 {
		letter = "d"
	}
	f := say.Message(letter, e.m, "")
	if f == nil {
		return
	}
	if letter == "d" {
		f.Sayf("the %s's INIT_XCHAR counts the bits of a subset from the most significant on", c.Sender(e.m.From))
	} else {
		f.Sayf("the %s's INIT_XCHAR says that characteristic %d will not change, and has %d", c.Sender(e.m.From), n, e.op.count)
	}
	f.See("element", n, "below the count of characteristics").See("characteristics", e.op.count, nil)
	f.In(e.m, o.Start+o.NoChange.Start, (1+o.NoChange.Words)*xdr.WordSize)
}

// disposed judges the subsets of a RESP_XCHAR.
func disposed(c *rules.Conn, say rules.Say, e *event) {
	o, count := e.option, e.to.count
	r, ok := orderOf(o, count)
	if ok && r == leastFirst {
		return
	}
	tell := func(letter, text, name string, observed, expected any) {
		if f := say.Message(letter, e.m, ""); f != nil {
			f.Sayf("the %s's RESP_XCHAR %s", c.Sender(e.m.From), text)
			f.See(name, observed, expected).See("characteristics requested", count, nil).With(e.to.Ref).In(e.m, o.Start, len(o.Info))
		}
	}
	if ok {
		tell("d", "counts the bits of its subsets from the most significant on", "first bit of a word", "most significant", "least significant")
		return
	}
	d := leastFirst.disposes(o, count)
	if d.twice >= 0 {
		tell("a", "has a characteristic in two subsets", "element in two subsets", d.twice, nil)
	}
	if d.nowhere >= 0 {
		tell("b", "has a requested characteristic in no subset", "characteristics in no subset", d.lacking, 0)
	}
	if d.beyond >= 0 {
		tell("c", "names a characteristic that was not requested", "element", d.beyond, "below the count of characteristics")
	}
}
