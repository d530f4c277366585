package rpcs

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func rpcs011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected, rules.Unpaired), rules.LikelyIf(rules.LostSince.From(rules.Requester))},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(0, rpc011)},
	}
}

// rpc011 compares the operations of a COMPOUND with its results.
func rpc011(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.Reply == nil || c.Opaque(r) || !c.RolesKnown {
		return
	}
	args, results := r.Call.Body(), r.Reply.Body()
	if args == nil || results == nil || args.Dropped || values.Operations(args.Binding.Args) == nil {
		return
	}
	if !values.Explained(results) && len(r.Call.Header.Writes)+len(r.Reply.Header.Writes) > 0 {
		return // what seems to be a result may be part of an item
	}
	op := wrongResult(args, results)
	if op == nil || !readable008(c, r, r.Call) || !readable008(c, r, r.Reply) {
		return
	}
	called := operations(args)
	as, given := report, resultName(results, op)
	n := int(op.Index)
	asked := "none"
	if n < len(called) {
		asked = resultName(args, called[n])
		if op.Value == numbers.OpIllegal {
			switch defined := known011(args, r.Reverse(), called[n].Value); defined {
			case undefined:
				return
			case inExtension:
				as = report.As(finding.Warning)
			}
		}
	}
	f := as.Part("", r, r.Reply, c.DoubtOf(r.Requester, r.Call.Frame()))
	if f == nil {
		return
	}
	who := c.Sender(r.Reply.From)
	if n < len(called) {
		f.Messagef("result %d from the %s is %s, but operation %d of the call is %s", n+1, who, given, n+1, asked)
	} else {
		f.Messagef("the %s sent more results than the call has operations: result %d is %s, but the call has %d operations", who, n+1, given, len(called))
	}
	if n > 0 && n <= len(called) && inlineData(args, called[n-1]) {
		f.Message += "; the " + who + " decoded something else from the data of the " + resultName(args, called[n-1]) + " on, which was inline"
	}
	f.See("operations of the call", names(args, called), nil)
	f.See("results", names(results, operations(results)), nil)
	f.See("result", given, asked)
	f.Body(r.Reply, results, int(op.Offset), 4)
}

// operations are the Operation events of a body up to the last that is certain.
func operations(b *dissect.Body) (list []*walk.Event) {
	for i := nextOperation(b, 0); i >= 0; i = nextOperation(b, i+1) {
		list = append(list, &b.Events[i])
	}
	return list
}

// nextOperation is the index of the first Operation event of a body from one event on, -1 if there is none.
func nextOperation(b *dissect.Body, from int) int {
	for i := from; i < len(b.Events); i++ {
		if b.Events[i].Kind == walk.Operation {
			return i
		}
	}
	return -1
}

// wrongResult is the first result that is not that of the operation in its place; nil if there is none. Of a
// call that cannot be decoded to its end the last operation is not certain, nor what follows.
func wrongResult(args, results *dissect.Body) *walk.Event {
	all := values.Explained(args)
	called := -1
	for i := nextOperation(results, 0); i >= 0; i = nextOperation(results, i+1) {
		called = nextOperation(args, called+1)
		switch {
		case !all && (called < 0 || nextOperation(args, called+1) < 0):
			return nil
		case called < 0 || args.Events[called].Value != results.Events[i].Value:
			return &results.Events[i]
		}
	}
	return nil
}

// What a minor version has an operation as.
type definition uint8

const (
	undefined definition = iota
	inExtension
	inBase
)

// known011 says whether the minor version of a call defines an operation (RFC 7530, RFC 8881, RFC 7862).
// Operations of minor version 2 are features that old servers do not know by number.
func known011(args *dissect.Body, callback bool, op uint64) definition {
	const first = 3
	base := [...]uint64{numbers.OpReleaseLockowner, numbers.OpReclaimComplete, numbers.OpReclaimComplete}
	extended := uint64(numbers.OpClone)
	if callback {
		base, extended = [...]uint64{numbers.OpCBRecall, numbers.OpCBNotifyDeviceid, numbers.OpCBNotifyDeviceid}, numbers.OpCBOffload
	}
	minor, ok := values.MinorVersion(args)
	switch {
	case !ok || op < first || int(minor) >= len(base):
		return undefined
	case op <= base[minor]:
		return inBase
	case minor == 2 && op <= extended:
		return inExtension
	}
	return undefined
}

// inlineData reports whether an operation of a call has data that could have moved by a chunk, and were inline.
func inlineData(args *dissect.Body, op *walk.Event) bool {
	for i := range args.Events {
		if &args.Events[i] != op {
			continue
		}
		for _, e := range values.Within(args, i) {
			if e.Kind == walk.Item && e.Chunk < 0 && e.Eligible {
				return true
			}
		}
	}
	return false
}

// resultName is the name of an operation, for a person.
func resultName(b *dissect.Body, e *walk.Event) string {
	names := b.Binding.Plan().Fields[e.Field].Type.Names
	if names != nil {
		if name := names.Name(e.Value); name != "" {
			return strings.TrimPrefix(name, names.Prefix)
		}
	}
	return decimal(e.Value)
}

// names lists operations, for a person.
func names(b *dissect.Body, list []*walk.Event) string {
	const most = 16
	var s strings.Builder
	for i, e := range list {
		if i == most {
			s.WriteString(", ...")
			break
		}
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(resultName(b, e))
	}
	return s.String()
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
