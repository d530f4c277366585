package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar007() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-007", Title: "Characteristic changed that was not to change",
		Severity: rules.Warning,
		Since:    "0.6",
		Meaning: "An end said in its INIT_XCHAR that a characteristic will not change on this connection, and gave it another value later, by an " +
			"UPD_XCHAR or a RESP_XCHAR that says it is done.",
		Why:       "The peer may have worked out its buffers and limits once and for all, and look at the value no more.",
		Advice:    "Name in optixc_nochg only what cannot change, and reject requests to change it.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 3.2 and 4.1",
		Gates:     rules.Gates{rules.SilentIf(rules.LostSince).Of("an answer").Since("the request")},
		Limits: "Silent if the INIT_XCHAR, or the REQ_XCHAR that is answered, is not in the capture. Of characteristics that are not defined " +
			"the octets are compared. A second INIT_XCHAR takes the place of the first.",
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event007)},
		Fires: []rules.Sample{
			{Name: "an update", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [RBSIZ=8192 RQREMINV=FALSE] nochg=[1]
				optional 2 server UPD_XCHAR RQREMINV=TRUE
				    want XCHAR-007 xchar1
				disconnect`},
			{Name: "done as requested", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [RBSIZ=8192] nochg=[0]
				optional 2 client REQ_XCHAR [BRS=NONE RBSIZ=16384]
				optional 2 server RESP_XCHAR done=[1] rej=[0]
				    want XCHAR-007
				disconnect`},
			{Name: "one that is not defined", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [77=hex(01 02)] nochg=[0]
				optional 2 server UPD_XCHAR 77=hex(01 03)
				    want XCHAR-007
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the same value again", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [RBSIZ=8192] nochg=[0]
				optional 2 server UPD_XCHAR RBSIZ=8192
				disconnect`},
			{Name: "another characteristic", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [RBSIZ=8192 RQREMINV=FALSE] nochg=[1]
				optional 2 server UPD_XCHAR RBSIZ=16384
				disconnect`},
			{Name: "the other end promised it", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192] nochg=[0]
				optional 2 server UPD_XCHAR RBSIZ=16384
				disconnect`},
			{Name: "the request is rejected", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server INIT_XCHAR [RBSIZ=8192] nochg=[0]
				optional 2 client REQ_XCHAR [RBSIZ=16384]
				optional 2 server RESP_XCHAR rej=[0]
				disconnect`},
		},
	}
}

// promises are the characteristics of an end that will not change, as an INIT_XCHAR says.
type promises struct {
	items []item
	frame flow.Ref
}

func event007(c *rules.Conn, e *event, say rules.Say) {
	ends := &of(c).promises
	if e.op == nil || !e.op.sound {
		return
	}
	m, p := e.m, &ends[e.m.From&1]
	if e.op.kind == rpcrdma.InitXchar {
		p.items, p.frame = p.items[:0], m.Frame()
		e.unchanging(func(x *item) { p.items = append(p.items, *x) })
		return
	}
	if len(p.items) == 0 || e.to != nil && c.LostSince(e.to.Ref) {
		return
	}
	e.each(func(_ int, x *item) {
		for i := range p.items {
			was := &p.items[i]
			if was.id != x.id || was.same(x) {
				continue
			}
			if f := say.Key(x.id).Message("", m, ""); f != nil {
				f.Sayf("the %s's %v gives %v another value, though its INIT_XCHAR says that it does not change", c.Sender(m.From), e.op.kind, x.id)
				f.See(x.id.String(), x.text(), was.text()).With(p.frame)
				o := e.option
				if e.op.kind == rpcrdma.UpdXchar {
					f.In(m, o.Start, xcharvalSize+o.Characteristics[0].Length)
				} else {
					f.In(m, o.Start+o.Done.Start, 4+4*o.Done.Words)
				}
			}
			return
		}
	})
}

// text is the value of a characteristic for a person, as far as it is remembered.
func (x *item) text() string {
	if x.decoded {
		return string(rpcrdma.AppendXcharValue(nil, x.id, x.value))
	}
	return "other octets"
}
