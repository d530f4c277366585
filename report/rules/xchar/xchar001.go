package xchar

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func xchar001() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-001", Title: "Transport characteristics cannot be decoded",
		Severity: rules.Error,
		Since:    "0.6",
		Meaning: "The rdma_optinfo of an INIT_XCHAR, REQ_XCHAR, RESP_XCHAR or UPD_XCHAR is not what its operation has in XDR, or the " +
			"octets of a characteristic are not of the type that it is defined with.",
		Why: "The receiver has to report an XDR error, and takes note of nothing that the message says. The sender may go on as if " +
			"its values were known.",
		Advice: "Compare the sender's encoder with the XDR of the operation. Length words count octets without the pad, counts " +
			"count elements, and a Boolean or an enum is one word.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 2.1, 3, 4.1 to 4.4 and 5.2",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut)},
		Limits: "Only the first fault of a message is told. A warning if nothing is missing but octets are left over behind what the " +
			"operation has, which the draft does not speak of. Silent about a message whose rdma_optinfo runs past it, which is " +
			"HDR-003's.",
		Cases: []rules.Case{
			{Letter: "a", Title: "xchv_data runs past rdma_optinfo", Severity: rules.Error},
			{Letter: "b", Title: "xchv_data is too short for its type", Severity: rules.Error},
			{Letter: "c", Title: "a value that the type does not have", Severity: rules.Error},
			{Letter: "d", Title: "counts do not fit the length of rdma_optinfo", Severity: rules.Error},
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event001)},
		Fires: []rules.Sample{
			{Name: "a length of 40 octets where 4 are left", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM]
				    set xchar2.length 40
				    want XCHAR-001a xchar2.length
				error 1 BAD_XDR
				disconnect`},
			{Name: "a buffer size of two octets", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=hex(20 00) BRS=SZLIM]
				    want XCHAR-001b 36+6
				error 1 BAD_XDR
				disconnect`},
			{Name: "a Boolean of 2, and a support of 4", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RQREMINV=2]
				    want XCHAR-001c xchar1.data
				error 1 BAD_XDR
				optional 2 server INIT_XCHAR [BRS=4]
				    want XCHAR-001c xchar1.data
				error 2 client BAD_XDR
				disconnect`},
			{Name: "a pendclr of 7", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server UPD_XCHAR RBSIZ=8192 pendclr=TRUE
				    set pendclr 7
				    want XCHAR-001c pendclr
				error 1 client BAD_XDR
				disconnect`},
			{Name: "three are counted, two are there", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192 BRS=SZLIM]
				    set xchars.count 3
				    want XCHAR-001d optinfo.length
				error 1 BAD_XDR
				disconnect`},
			{Name: "the subset is missing", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR hex(00000001 00000001 00000004 00002000)
				    want XCHAR-001d optinfo.length
				error 1 BAD_XDR
				disconnect`},
			{Name: "a word behind the last subset", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [RBSIZ=8192]
				optional 1 server RESP_XCHAR hex(00000001 00000001 00000000 00000000 00000007)
				    want XCHAR-001d 44+4
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "what nobody defines has any octets", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 9=hex(01) 0xffffff01=hex(01 02 03 04 05 06 07)] nochg=[2]
				disconnect`},
			{Name: "more octets than the type has", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=hex(00 00 20 00 00) BRS=SZLIM]
				disconnect`},
			{Name: "another operation", Scene: `
				connect version=2
				optional 1 client 77 hex(00 00 00 09)
				error 1 INVAL_OPTION
				disconnect`},
			{Name: "the snap length cut it", Over: rules.RoCE, Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 RQREMINV=TRUE BRS=SZLIM]
				call 1 NFS3 NULL
				reply 1
				disconnect
				snap 112`},
			{Name: "the end of rdma_optinfo is missing, not what is in it", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM]
				    set optinfo.length 400
				    want HDR-003c
				error 1 BAD_XDR
				disconnect`},
		},
	}
}

func event001(c *rules.Conn, e *event, say rules.Say) {
	if e.op == nil || !e.op.whole || e.m.Header.Fault.Bad() {
		return
	}
	m, o := e.m, e.option
	if e.op.fault == "" {
		if o.Left > 0 {
			left(c, say, e)
		}
		return
	}
	f := say.Message(e.op.fault, m, "")
	if f == nil {
		return
	}
	at := o.Fault.Offset
	f.Sayf("the %s's %v cannot be decoded: %s", c.Sender(m.From), o.Type, o.Fault)
	word, there := xdr.WordAt(o.Info, at-o.Start)
	length := xdr.WordSize
	switch id := e.op.faulty; {
	case e.op.fault == "a":
		f.See("length of xchv_data", word, len(o.Info)-(at-o.Start)-xdr.WordSize)
	case e.op.fault == "b":
		f.See("xchv_which", id.String(), nil).See("length of xchv_data", word, xdr.WordSize)
		length += int(word)
	case e.op.fault == "c" && id != 0:
		f.See("xchv_which", id.String(), nil).See("value", word, allowed(id))
	case e.op.fault == "c":
		f.See("optuxc_pendclr", word, "0 or 1")
	case !there: // what is missing lies behind the octets
		at = atInfoLength
		f.See("length of rdma_optinfo", len(o.Info), nil)
	default:
		f.See("count", word, nil).See("octets behind it", len(o.Info)-(at-o.Start)-xdr.WordSize, nil)
	}
	f.In(m, at, length)
}

// allowed are those that a characteristic may have, for a person.
func allowed(id rpcrdma.CharacteristicID) string {
	if id == rpcrdma.XcharBRS {
		return "0 to 3"
	}
	return "0 or 1"
}

// left tells of octets behind what an operation has.
func left(c *rules.Conn, say rules.Say, e *event) {
	f := say.As(rules.Warning).Message("d", e.m, "")
	if f == nil {
		return
	}
	o := e.option
	f.Sayf("the %s's %v has %d octets more than the operation", c.Sender(e.m.From), o.Type, o.Left)
	f.See("length of rdma_optinfo", len(o.Info), len(o.Info)-o.Left).In(e.m, o.Start+len(o.Info)-o.Left, o.Left)
}
