package query

import (
	"iter"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/filter"
)

// addCall adds the header of the call.
func addCall(l *list[*dissect.RPC], specs []*types.Spec) {
	l.addField(filter.Field{Name: "rpc.xid", Kind: filter.Uint, Doc: "XID"},
		func(r *dissect.RPC, to *filter.Values) { to.Uint(uint64(r.XID)) }).
		ofUnit(Handle).cell(column("xid")).in(Member{Name: "xid", Part: Identity})
	l.addField(filter.Field{Name: "rpc.reverse", Kind: filter.Bool, Doc: "a call from server to client"},
		func(r *dissect.RPC, to *filter.Values) { to.Bool(r.Reverse()) }).
		cell(column("reverse")).in(Member{Name: "reverse", Part: Identity})
	word := func(f filter.Field, of func(*rpc.Call) (uint32, bool)) *Field {
		return l.addField(f, func(r *dissect.RPC, to *filter.Values) {
			if c := r.CallHeader(); c != nil {
				if v, ok := of(c); ok {
					to.Uint(uint64(v))
				}
			}
		})
	}
	l.addField(filter.Field{Name: "rpc.program", Kind: filter.Enum, Names: programNames(specs), Doc: "program, by name or number; an NFS callback has one name whatever its number"},
		func(r *dissect.RPC, to *filter.Values) {
			c := r.CallHeader()
			if c == nil {
				return
			}
			to.Uint(uint64(c.Program))
			if r.Reverse() && rpc.ProgramName(c.Program) == "" {
				to.Uint(uint64(rpc.ProgramNFSCallback))
			}
		}).cell(set()).in(Member{Name: "program", Part: CallHeader, Absent: Null, AsNumber: true, Doc: "null if the call was not decoded"})
	callName(l, "program_name", func(c *rpc.Call, callback bool) string {
		if callback {
			return "NFS callback"
		}
		return rpc.ProgramName(c.Program)
	})
	word(filter.Field{Name: "rpc.version", Kind: filter.Uint, Doc: "version of the program"},
		func(c *rpc.Call) (uint32, bool) { return c.Version, true }).
		cell(optional("version", -1)).in(Member{Name: "version", Part: CallHeader, Absent: Null})
	l.member(Member{Name: "procedure", Part: CallHeader, Absent: Null, Doc: "its number"}, filter.Uint,
		func(r *dissect.RPC) (uint64, bool) {
			if c := r.CallHeader(); c != nil {
				return uint64(c.Procedure), true
			}
			return 0, false
		})
	callName(l, "procedure_name", func(c *rpc.Call, callback bool) string {
		if callback {
			return rpc.CallbackProcedureName(c.Procedure)
		}
		return rpc.ProcedureName(c.Program, c.Version, c.Procedure)
	})
	addCredential(l, word)
}

// callName adds the name of a number in the header of the call to records. A callback
// has a program number that the client chose.
func callName(l *list[*dissect.RPC], name string, of func(c *rpc.Call, callback bool) string) {
	l.string(Member{Name: name, Part: CallHeader, Absent: Empty, Doc: "`\"\"` if there is none"},
		func(r *dissect.RPC) string {
			if c := r.CallHeader(); c != nil {
				return of(c, r.Reverse() && rpc.ProgramName(c.Program) == "")
			}
			return ""
		})
}

// addCredential adds the credential of the call.
func addCredential(l *list[*dissect.RPC], word func(filter.Field, func(*rpc.Call) (uint32, bool)) *Field) {
	flavor := func(v uint64) string { return rpc.Flavor(v).String() }
	word(filter.Field{Name: "rpc.auth", Kind: filter.Enum, Names: spelled("flavor", 16, flavor), Doc: "flavor of the credential"},
		func(c *rpc.Call) (uint32, bool) { return uint32(c.Cred.Flavor), true }).
		spelled(flavor).cell(set()).
		in(Member{Name: "auth", Part: CallHeader, Absent: Null, Doc: "`\"AUTH_NONE\"`, `\"AUTH_SYS\"`, `\"RPCSEC_GSS\"`, …"})
	word(filter.Field{Name: "rpc.auth_sys.uid", Kind: filter.Uint, Doc: "user ID in an AUTH_SYS credential; 0 is root"},
		func(c *rpc.Call) (uint32, bool) { return c.Cred.Sys.UID, c.Cred.HasSys }).
		titled("UID").cell(set()).in(Member{Name: "auth_sys_uid", Part: CallHeader, Absent: LeftOut, Beyond: true})
	gss := func(c *rpc.Call) bool { return c.Cred.Flavor == rpc.RPCSECGSS }
	secured := rarely(func(r *dissect.RPC) bool { h := r.CallHeader(); return h != nil && gss(h) })
	word(filter.Field{Name: "rpc.gss.service", Kind: filter.Enum, Names: named(rpc.ServiceNone, rpc.ServiceIntegrity, rpc.ServicePrivacy, rpc.ServiceChannelProt), Doc: "how RPCSEC_GSS protects arguments and result"},
		func(c *rpc.Call) (uint32, bool) { return uint32(c.Cred.GSS.Service), gss(c) }).
		spelled(func(v uint64) string { return rpc.GSSService(v).String() }).cell(secured).
		in(Member{Name: "gss_service", Part: CallHeader, Absent: LeftOut, Doc: "`\"none\"`, `\"integrity\"`, `\"privacy\"`; only with RPCSEC_GSS"})
	word(filter.Field{Name: "rpc.gss.proc", Kind: filter.Enum, Names: named(upTo(rpc.GSSList)...), Doc: "whether the call is for the program or for the security context"},
		func(c *rpc.Call) (uint32, bool) { return uint32(c.Cred.GSS.Proc), gss(c) }).
		spelled(func(v uint64) string { return rpc.GSSProc(v).String() }).cell(secured).
		in(Member{Name: "gss_proc", Part: CallHeader, Absent: LeftOut, Beyond: true, Doc: "`\"RPCSEC_GSS_DATA\"`, or that of a control message, such as `\"RPCSEC_GSS_INIT\"`; only with RPCSEC_GSS"})
}

// programNames are the names of the programs that the texts describe.
func programNames(specs []*types.Spec) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		seen := make(map[uint32]bool)
		for _, s := range specs {
			for _, p := range s.Programs {
				if !seen[p.Number] && !yield(programName(p), uint64(p.Number)) {
					return
				}
				seen[p.Number] = true
			}
		}
	}
}
