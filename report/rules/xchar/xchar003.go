package xchar

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// leastBuffer is the inline threshold that a peer of any version may count on, in octets.
const leastBuffer = rpcrdma.DefaultThreshold

func xchar003() *rules.Rule {
	return &rules.Rule{
		ID: "XCHAR-003", Title: "Unusual characteristic",
		Severity: rules.Note,
		Since:    "0.6",
		Meaning: "A message has a characteristic that is an experiment, that is not defined, that comes twice, that has more octets than " +
			"its type, or a receive buffer size that no receiver can mean.",
		Why: "None of it is forbidden, and peers differ in what they make of it: one ignores it, another takes the first or the last of " +
			"two values.",
		Advice: "Let the sender say each characteristic once, with the octets of its type. What is an experiment should be known to " +
			"both ends by other means.",
		Reference: "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, sections 2.1, 2.2, 3, 6.2 and 6.3",
		Limits: "Case c is a warning if the two values differ. Each xcharid is told once for each end, of the many that a peer may make " +
			"up only some; of a message the first 64 are looked at.",
		Cases: []rules.Case{
			{Letter: "a", Title: "an xcharid for experiments", Severity: rules.Note},
			{Letter: "b", Title: "an xcharid that is not defined", Severity: rules.Note},
			{Letter: "c", Title: "one xcharid twice in a message", Severity: rules.Note},
			{Letter: "d", Title: "octets behind the value", Severity: rules.Note},
			{Letter: "e", Title: "a receive buffer size below 1024 octets, or that is no multiple of 4", Severity: rules.Note},
		},
		Speaks: rules.Version2,
		Needs:  []rules.Knowledge{knownOperations()},
		On:     []rules.Event{onEvent(event003)},
		Fires: []rules.Sample{
			{Name: "an experiment", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 0xffffff00=hex(01 02)]
				    want XCHAR-003a xchar2
				disconnect`},
			{Name: "numbers that are not defined", Scene: `
				connect version=2
				optional 1 client REQ_XCHAR [4=1 0xfffffeff=1]
				    want XCHAR-003b xchar1
				    want XCHAR-003b xchar2
				optional 1 server RESP_XCHAR rej=[0 1]
				disconnect`},
			{Name: "two receive buffer sizes", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 BRS=SZLIM RBSIZ=4096]
				    want XCHAR-003c xchar3
				disconnect`},
			{Name: "the same size twice", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=8192 RBSIZ=8192]
				    want XCHAR-003c xchar2
				disconnect`},
			{Name: "a size of eight octets", Scene: `
				connect version=2
				call 90 NFS3 NULL
				reply 90
				optional 1 server UPD_XCHAR RBSIZ=hex(00 00 20 00 00 00 00 01)
				    want XCHAR-003d 40+4
				disconnect`},
			{Name: "a buffer of 512 octets, and one of 8191", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=512]
				    want XCHAR-003e xchar1.data
				optional 2 server INIT_XCHAR [RBSIZ=8191]
				    want XCHAR-003e xchar1.data
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the three that are defined", Scene: `
				connect version=2
				optional 1 client INIT_XCHAR [RBSIZ=1024 RQREMINV=TRUE BRS=GENL] nochg=[1]
				optional 2 server INIT_XCHAR [RBSIZ=8188]
				disconnect`},
		},
	}
}

func event003(c *rules.Conn, e *event, say rules.Say) {
	if e.op == nil {
		return
	}
	w := &peculiar{c: c, say: say, e: e}
	for i := range min(len(e.option.Characteristics), mostItems) {
		w.look(i)
	}
}

// peculiar looks at the characteristics of one message.
type peculiar struct {
	c   *rules.Conn
	say rules.Say
	e   *event
}

func (w *peculiar) look(i int) {
	o := w.e.option
	x := &o.Characteristics[i]
	switch {
	case x.ID.Experimental():
		w.stranger("a", x)
	case x.ID.Name() == "":
		w.stranger("b", x)
	case !x.Decoded:
		return
	case x.Length > xdr.WordSize:
		if f := w.say.Key(x.ID).Message("d", w.e.m, ""); f != nil {
			f.Sayf("%v has %d octets, of which %d are behind its value", x.ID, x.Length, x.Length-xdr.WordSize)
			f.See("length of xchv_data", x.Length, xdr.WordSize).In(w.e.m, o.Start+x.Start+xdr.WordSize, x.Length-xdr.WordSize)
		}
	}
	if x.ID == rpcrdma.XcharRBSIZ && (x.Value < leastBuffer || x.Value%xdr.WordSize != 0) {
		if f := w.say.Message("e", w.e.m, ""); f != nil {
			f.Sayf("the %s's %v names a receive buffer size of %d octets", w.c.Sender(w.e.m.From), o.Type, x.Value)
			f.See("XCHAR_RBSIZ", x.Value, "a multiple of 4, at least 1024").Word(w.e.m, o.Start+x.Start)
		}
	}
	w.twice(i)
}

func (w *peculiar) stranger(letter string, x *rpcrdma.Characteristic) {
	f := w.say.Key(x.ID).Message(letter, w.e.m, "")
	if f == nil {
		return
	}
	what := "which is not defined"
	if letter == "a" {
		what = "which is for experiments"
	}
	f.Sayf("the %s's %v has %v, %s, with %s", w.c.Sender(w.e.m.From), w.e.option.Type, x.ID, what, rules.Count(uint64(x.Length)))
	f.See("xchv_which", uint32(x.ID), nil)
	w.mark(f, x)
}

// twice looks whether a characteristic stands before in the message.
func (w *peculiar) twice(i int) {
	o := w.e.option
	x := &o.Characteristics[i]
	for k := range o.Characteristics[:i] {
		y := &o.Characteristics[k]
		if y.ID != x.ID {
			continue
		}
		say, how := w.say, "the same value"
		if !bytes.Equal(o.Octets(*x), o.Octets(*y)) {
			say, how = say.As(rules.Warning), "another value"
		}
		if f := say.Key(x.ID).Message("c", w.e.m, ""); f != nil {
			f.Sayf("the %s's %v has %v twice, with %s", w.c.Sender(w.e.m.From), o.Type, x.ID, how)
			f.See("value", string(o.AppendValue(nil, *x)), string(o.AppendValue(nil, *y)))
			w.mark(f, x)
		}
		return
	}
}

// mark marks an xcharval.
func (w *peculiar) mark(f *rules.Finding, x *rpcrdma.Characteristic) {
	f.In(w.e.m, w.e.option.Start+x.Start-xcharvalSize, xcharvalSize+x.Length)
}
