package query

import (
	"iter"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/filter"
)

// rpcs are the fields of RPCs but for those of the texts.
func rpcs(specs []*types.Spec) (l list[*dissect.RPC]) {
	addOperations(&l, specs)
	addStatus(&l, specs)
	addOutcome(&l)
	addHeader(&l, specs)
	addSizes(&l)
	addRefs(&l, "of a frame that carried a part of it", func(r *dissect.RPC) []flow.Ref { return r.Frames })
	l.add(filter.Field{Name: "frame.time", Kind: filter.Time, Doc: "when its first frame was captured"},
		func(r *dissect.RPC, to *filter.Values) {
			if ns := r.Start(); ns != 0 {
				to.Time(ns)
			}
		})
	addEnds(&l, func(r *dissect.RPC) *dissect.Connection { return r.Connection })
	l.add(direction("where the call goes"), func(r *dissect.RPC, to *filter.Values) { toward(!r.Reverse(), to) })
	addMessages(&l)
	return l
}

// addOutcome adds what the two messages make together.
func addOutcome(l *list[*dissect.RPC]) {
	l.add(filter.Field{Name: "rpc.latency", Kind: filter.Duration, Doc: "from the call's last frame to the reply's first"},
		func(r *dissect.RPC, to *filter.Values) {
			if ns, ok := r.Latency(); ok {
				to.Duration(time.Duration(ns))
			}
		})
	l.add(filter.Field{Name: "rpc.complete", Kind: filter.Bool, Doc: "all of it is in the capture"},
		func(r *dissect.RPC, to *filter.Values) { to.Bool(r.Complete) })
	l.add(filter.Field{Name: "rpc.missing", Kind: filter.String, Doc: "the first part of it that is not in the capture"},
		func(r *dissect.RPC, to *filter.Values) {
			if r.Missing != "" {
				to.String(r.Missing)
			}
		})
	l.add(filter.Field{Name: "rpc.status", Kind: filter.Enum, Names: statuses, Doc: "accept_stat of the reply; of a denied one reject_stat plus 0x100"},
		func(r *dissect.RPC, to *filter.Values) {
			switch s := r.ReplyHeader(); {
			case s == nil:
			case s.Denied:
				to.Uint(denied + uint64(s.Reject))
			default:
				to.Uint(uint64(s.Accept))
			}
		})
	l.add(filter.Field{Name: "rpc.auth_stat", Kind: filter.Enum, Names: spelled("auth_stat", 20, func(v uint32) string { return rpc.AuthStat(v).String() }), Doc: "why the server refused a credential or verifier"},
		func(r *dissect.RPC, to *filter.Values) {
			if s := r.ReplyHeader(); s != nil && s.Denied && s.Reject == rpc.AuthError {
				to.Uint(uint64(s.Auth))
			}
		})
}

// denied is the first value of rpc.status that is a reject_stat.
const denied = 0x100

func statuses(yield func(string, uint64) bool) {
	for v := rpc.Success; v <= rpc.SystemErr; v++ {
		if !yield(v.String(), uint64(v)) {
			return
		}
	}
	for v := rpc.RPCMismatch; v <= rpc.AuthError; v++ {
		if !yield(v.String(), denied+uint64(v)) {
			return
		}
	}
}

// spelled are the values below most that have a name; those without one are
// called by the type and their number.
func spelled(kind string, most uint32, spell func(uint32) string) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for v := range most {
			if s := spell(v); !strings.HasPrefix(s, kind+" ") && !yield(s, uint64(v)) {
				return
			}
		}
	}
}

// addHeader adds the header of the call.
func addHeader(l *list[*dissect.RPC], specs []*types.Spec) {
	l.add(filter.Field{Name: "rpc.xid", Kind: filter.Uint, Doc: "XID"},
		func(r *dissect.RPC, to *filter.Values) { to.Uint(uint64(r.XID)) })
	l.add(filter.Field{Name: "rpc.reverse", Kind: filter.Bool, Doc: "a call from server to client"},
		func(r *dissect.RPC, to *filter.Values) { to.Bool(r.Reverse()) })
	word := func(f filter.Field, of func(*rpc.Call) (uint32, bool)) {
		l.add(f, func(r *dissect.RPC, to *filter.Values) {
			if c := r.CallHeader(); c != nil {
				if v, ok := of(c); ok {
					to.Uint(uint64(v))
				}
			}
		})
	}
	l.add(filter.Field{Name: "rpc.program", Kind: filter.Enum, Names: programNames(specs), Doc: "program, by name or number; a callback is an NFS callback whatever its number"},
		func(r *dissect.RPC, to *filter.Values) {
			c := r.CallHeader()
			if c == nil {
				return
			}
			to.Uint(uint64(c.Program))
			if r.Reverse() && rpc.ProgramName(c.Program) == "" {
				to.Uint(uint64(rpc.ProgramNFSCallback))
			}
		})
	word(filter.Field{Name: "rpc.version", Kind: filter.Uint, Doc: "version of the program"},
		func(c *rpc.Call) (uint32, bool) { return c.Version, true })
	word(filter.Field{Name: "rpc.auth", Kind: filter.Enum, Names: spelled("flavor", 16, func(v uint32) string { return rpc.Flavor(v).String() }), Doc: "flavor of the credential"},
		func(c *rpc.Call) (uint32, bool) { return uint32(c.Cred.Flavor), true })
	gss := func(c *rpc.Call) bool { return c.Cred.Flavor == rpc.RPCSECGSS }
	word(filter.Field{Name: "rpc.gss.service", Kind: filter.Enum, Names: named(rpc.ServiceNone, rpc.ServiceIntegrity, rpc.ServicePrivacy, rpc.ServiceChannelProt), Doc: "how RPCSEC_GSS protects arguments and result"},
		func(c *rpc.Call) (uint32, bool) { return uint32(c.Cred.GSS.Service), gss(c) })
	word(filter.Field{Name: "rpc.gss.proc", Kind: filter.Enum, Names: named(upTo(rpc.GSSList)...), Doc: "whether the call is of the program, or for the security context"},
		func(c *rpc.Call) (uint32, bool) { return uint32(c.Cred.GSS.Proc), gss(c) })
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

// addSizes adds lengths, and how messages travelled.
func addSizes(l *list[*dissect.RPC]) {
	call := func(r *dissect.RPC) *dissect.Message { return r.Call }
	reply := func(r *dissect.RPC) *dissect.Message { return r.Reply }
	length := func(name, doc string, of func(*dissect.RPC) *dissect.Message) {
		l.add(filter.Field{Name: name, Kind: filter.Uint, Doc: doc}, func(r *dissect.RPC, to *filter.Values) {
			if m := of(r); m != nil && m.RPCLength > 0 {
				to.Uint(m.RPCLength)
			}
		})
	}
	length("rpc.call.length", "octets of the call as the server's upper layer saw it, chunks put back", call)
	length("rpc.reply.length", "octets of the reply as the client's upper layer saw it, chunks put back", reply)
	transfer := func(name, doc string, of ...func(*dissect.RPC) *dissect.Message) {
		l.add(filter.Field{Name: name, Kind: filter.Enum, Names: named(upTo(dissect.Long)...), Doc: doc}, func(r *dissect.RPC, to *filter.Values) {
			for _, message := range of {
				if m := message(r); m != nil {
					to.Uint(uint64(m.Transfer))
				}
			}
		})
	}
	transfer("rpc.transfer", "how call and reply travelled", call, reply)
	transfer("rpc.call.transfer", "how the call travelled", call)
	transfer("rpc.reply.transfer", "how the reply travelled", reply)
	l.add(filter.Field{Name: "rpc.rdma_read_bytes", Kind: filter.Uint, Doc: "octets that RDMA Reads moved for it"},
		func(r *dissect.RPC, to *filter.Values) { to.Uint(r.Offer.ReadOctets) })
	l.add(filter.Field{Name: "rpc.rdma_write_bytes", Kind: filter.Uint, Doc: "octets that RDMA Writes moved for it"},
		func(r *dissect.RPC, to *filter.Values) { to.Uint(r.Offer.WriteOctets) })
}

// addMessages adds the fields of the two messages: of both, of the call and of
// the reply. What counts, or says whether there is something, is that of the
// call, if that is in the capture: a reply never has Read chunks, so that with
// both rdma.reads.count == 0 would be true of all.
func addMessages(l *list[*dissect.RPC]) {
	type giver = func(*dissect.Message, *filter.Values)
	either := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Call != nil {
			give(r.Call, to)
		}
		if r.Reply != nil {
			give(r.Reply, to)
		}
	}
	first := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Call != nil {
			give(r.Call, to)
		} else if r.Reply != nil {
			give(r.Reply, to)
		}
	}
	call := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Call != nil {
			give(r.Call, to)
		}
	}
	reply := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Reply != nil {
			give(r.Reply, to)
		}
	}
	fields := messageFields()
	for _, e := range fields {
		each, of := either, "call or reply"
		if e.Kind == filter.Bool && e.Name != processed || strings.HasSuffix(e.Name, ".count") {
			each, of = first, "call"
		}
		e.Doc = of + ": " + e.Doc
		*l = append(*l, mapped(e, each))
	}
	for _, half := range []struct {
		name string
		each func(*dissect.RPC, giver, *filter.Values)
	}{{"call", call}, {"reply", reply}} {
		for _, e := range fields {
			e.Name = "rdma." + half.name + strings.TrimPrefix(e.Name, "rdma")
			e.Doc = half.name + ": " + e.Doc
			*l = append(*l, mapped(e, half.each))
		}
	}
}
