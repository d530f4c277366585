package sym

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// Bits of ACCESS, which are the same in versions 3 and 4 (RFC 1813, section 3.3.4; RFC 8881, section 18.1).
const (
	accessRead   = 1
	accessLookup = 2
	accessModify = 4
	accessExtend = 8
)

// access is what the results of ACCESS on a connection have in common.
type access struct {
	compounds                                    int // that were looked at, or passed over
	asked3, asked4, granted3, granted4, support4 values.Field
	finding                                      *rules.Finding
	times                                        int64
	lacking                                      uint64
	files                                        files
}

// COMPOUNDs after the first manyCompounds cost too much to look into each.
const (
	manyCompounds = 16
	sampled       = 8
)

func newAccess() *access {
	return &access{
		asked3: values.FieldOf("ACCESS3args.access"), granted3: values.FieldOf("ACCESS3res.resok.access"),
		asked4: values.FieldOf("ACCESS4args.access"), granted4: values.FieldOf("ACCESS4res.resok4.access"),
		support4: values.FieldOf(supported4),
	}
}

const supported4 = "ACCESS4resok.supported"

// access003 looks at what ACCESS grants.
func access003(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	call := r.CallHeader()
	if call == nil || r.Reply == nil || call.Program != rpc.ProgramNFS || r.Reverse() {
		return
	}
	switch {
	case call.Version == 3 && call.Procedure == numbers.ProcAccess:
	case values.IsCompound(call):
	default:
		return
	}
	k := state.Of(c)
	if k.access == nil {
		k.access = newAccess()
	}
	x := k.access
	if call.Version == 3 {
		x.version3(c, r, report)
		return
	}
	if x.compounds++; x.compounds <= manyCompounds || x.compounds%sampled == 0 {
		x.version4(c, r, report)
	}
}

func (x *access) version3(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	args, result := values.Walked(c, r.Call), values.Walked(c, r.Reply)
	if args == nil || result == nil {
		return
	}
	if told := x.granted3.In(result, result.Events); told != nil {
		x.compare(r, report, -1, x.asked3.Number(args, args.Events), told.Value)
	}
}

func (x *access) version4(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	args := values.Walked(c, r.Call)
	if args == nil {
		return
	}
	at := values.Next(args, 0, numbers.OpAccess)
	if at < 0 {
		return
	}
	result := values.Walked(c, r.Reply)
	if result == nil {
		return
	}
	answer := values.Answer(result, args.Events[at].Index)
	if answer < 0 {
		return
	}
	in := values.Within(result, answer)
	told, support := x.granted4.In(result, in), x.support4.In(result, in)
	if told != nil && support != nil {
		x.compare(r, report, at, x.asked4.Number(args, values.Within(args, at))&support.Value, told.Value)
	}
}

// lacks is what of the asked bits that matter is not granted. A directory that may be searched need
// not be read, and a file cannot be searched; who may not modify mostly may not extend either.
func lacks(asked, told uint64) (bits uint64) {
	if asked&accessRead != 0 && told&(accessRead|accessLookup) == 0 {
		bits |= accessRead
	}
	return bits | asked&^told&(accessModify|accessExtend)
}

func (x *access) compare(r *dissect.RPC, report rules.Reporter, args int, asked, told uint64) {
	missing := lacks(asked, told)
	if missing == 0 {
		return
	}
	x.times++
	x.lacking |= missing
	x.files.addFile(r, args)
	if f := report.RPC("a", r, ""); f != nil {
		x.finding = f
	}
	if x.finding == nil {
		return
	}
	f := x.finding
	f.Messagef("ACCESS grants less than requested: not %s%s", accessNames(x.lacking), x.files.phrase(x.times == 1))
	f.Evidence = f.Evidence[:0]
	f.See("not granted", accessNames(x.lacking), nil)
	x.files.show(f)
}

func accessNames(bits uint64) string {
	var list []string
	for _, b := range [...]struct {
		bit  uint64
		name string
	}{{accessRead, "READ"}, {accessModify, "MODIFY"}, {accessExtend, "EXTEND"}} {
		if bits&b.bit != 0 {
			list = append(list, b.name)
		}
	}
	return strings.Join(list, ", ")
}
