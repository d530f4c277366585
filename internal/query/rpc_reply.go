package query

import (
	"iter"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/filter"
)

// addReply adds the header of the reply.
func addReply(l *list[*dissect.RPC]) {
	l.addField(filter.Field{Name: "rpc.status", Kind: filter.Enum, Names: statuses, Doc: "accept_stat of the reply; of a denied one reject_stat plus 0x100"},
		func(r *dissect.RPC, to *filter.Values) {
			switch s := r.ReplyHeader(); {
			case s == nil:
			case s.Denied:
				to.Uint(denied + uint64(s.Reject))
			default:
				to.Uint(uint64(s.Accept))
			}
		}).spelled(spellStatus).cell(set()).
		in(Member{Name: "status", Part: Ending, Absent: Empty, Doc: "accept or reject status; `\"\"` without an RPC reply"})
	refused := func(r *dissect.RPC) bool { h := r.ReplyHeader(); return h != nil && h.Denied }
	why := func(v uint64) string { return rpc.AuthStat(v).String() }
	l.addField(filter.Field{Name: "rpc.auth_stat", Kind: filter.Enum, Names: spelled("auth_stat", 20, why), Doc: "why the server refused a credential or verifier"},
		func(r *dissect.RPC, to *filter.Values) {
			if s := r.ReplyHeader(); s != nil && s.Denied && s.Reject == rpc.AuthError {
				to.Uint(uint64(s.Auth))
			}
		}).spelled(why).cell(rarely(refused)).
		in(Member{Name: "auth_stat", Part: Ending, Absent: LeftOut, Beyond: true, Doc: "why, with status `AUTH_ERROR`"})
	for _, end := range [...]struct {
		name, doc string
		of        func(*rpc.Reply) uint32
	}{
		{"mismatch_low", "the lowest version that the server supports: of the program with status `PROG_MISMATCH`, of RPC with `RPC_MISMATCH`", func(s *rpc.Reply) uint32 { return s.Low }},
		{"mismatch_high", "the greatest", func(s *rpc.Reply) uint32 { return s.High }},
	} {
		l.member(Member{Name: end.name, Part: Ending, Absent: LeftOut, Beyond: true, Doc: end.doc}, filter.Uint,
			func(r *dissect.RPC) (uint64, bool) {
				if s := r.ReplyHeader(); s != nil && s.Mismatch() {
					return uint64(end.of(s)), true
				}
				return 0, false
			})
	}
}

// denied is the first value of rpc.status that is a reject_stat.
const denied = 0x100

func spellStatus(v uint64) string {
	if v >= denied {
		return rpc.RejectStat(v - denied).String()
	}
	return rpc.AcceptStat(v).String()
}

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
func spelled(kind string, most uint64, spell func(uint64) string) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		for v := range most {
			if s := spell(v); !strings.HasPrefix(s, kind+" ") && !yield(s, v) {
				return
			}
		}
	}
}
