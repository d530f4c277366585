package ulb

import (
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/size"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ulb013() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Fields:      []string{size.GetattrRequest, openCreate},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On:          []rules.Event{onCompound(changes(), compound013)},
	}
}

func compound013(c *rules.Conn, x *compound, report rules.Reporter) {
	unknown := set(numbers.OpGetattr, numbers.OpGetxattr)
	if !x.has.any(&unknown) {
		return
	}
	r := x.rpc
	made := nonIdempotent(c, r.CallHeader(), x)
	if made == "" {
		return
	}
	for i := range x.call.Events {
		e := &x.call.Events[i]
		if e.Kind != walk.Operation {
			continue
		}
		what := ""
		switch e.Value {
		case numbers.OpGetxattr:
			what = "an extended attribute"
		case numbers.OpGetattr:
			if name := size.UnboundedIn(x.call, all(c).attributes.In(x.call, values.Within(x.call, i))); name != "" {
				what = "the attribute " + name
			}
		}
		if what == "" {
			continue
		}
		if f := report.Part("", r, r.Call, ""); f != nil {
			f.Messagef("%s and %s, which has no limit, are in one COMPOUND", made, what)
			if s, ok := sequenceOf(x.call); ok {
				f.See("sa_cachethis", s.cache, nil)
			}
			f.Body(r.Call, x.call, int(e.Offset), xdr.WordSize)
		}
		return
	}
}
