package ulb

import (
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/size"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ulb013() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-013", Title: "Change combined with a reply of unknown size",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning:  "One COMPOUND makes a change that must not be made twice and asks for something without a limit, such as an ACL.",
		Why: "If the reply does not fit, the change was made, but the client sees an error, and may not try again to find out. With " +
			"sessions the reply cache can tell, if the client asked the server to keep the reply.",
		Advice: "Ask for such attributes in a COMPOUND of their own.",
		Reference: "RFC 8267, sections 6.2.1 and 3.1; draft-dnoveck-nfsv4-nfsulb-01, " +
			"sections 3.2 and 5.2.1",
		Gates: rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "The changes are CREATE, LINK, LOCK, LOCKU, OPEN that creates, REMOVE and RENAME. WRITE and SETATTR may be done twice. What the " +
			"arguments bound themselves, as those of READDIR, GETDEVICEINFO and LAYOUTGET do, is not unbounded.",
		Fields: []string{size.GetattrRequest, openCreate},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{onCompound(changes(), compound013)},
		Fires: []rules.Sample{
			{Name: "CREATE and the ACL of what it made", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH CREATE{NF4DIR objname="d"} GETATTR{attr_request=[SIZE ACL]}]
				    replychunk 0x801 65536
				    want ULB-013
				reply 1
				disconnect`},
			{Name: "an OPEN that creates, with a security label", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH OPEN{openhow={OPEN4_CREATE} file="f"} GETATTR{attr_request=[SIZE SEC_LABEL]}]
				    replychunk 0x801 65536
				    want ULB-013
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "attributes of a fixed size", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH CREATE{NF4DIR objname="d"} GETATTR{attr_request=[SIZE CHANGE MODE]}]
				reply 1
				disconnect`},
			{Name: "an OPEN that creates nothing", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH OPEN{file="f"} GETATTR{attr_request=[ACL]}]
				    replychunk 0x801 65536
				reply 1
				disconnect`},
		},
	}
}

func compound013(c *rules.Conn, x *compound, say rules.Say) {
	unknown := set(values.OpGetattr, values.OpGetxattr)
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
		case values.OpGetxattr:
			what = "an extended attribute"
		case values.OpGetattr:
			if name := size.UnboundedIn(x.call, all(c).attributes.In(x.call, values.Within(x.call, i))); name != "" {
				what = "the attribute " + name
			}
		}
		if what == "" {
			continue
		}
		if f := say.Part("", r, r.Call, ""); f != nil {
			f.Sayf("%s and %s, which has no limit, are in one COMPOUND", made, what)
			if s, ok := sequenceOf(x.call); ok {
				f.See("sa_cachethis", s.cache, nil)
			}
			f.Body(r.Call, x.call, int(e.Offset), xdr.WordSize)
		}
		return
	}
}
