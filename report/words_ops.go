package report

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
)

// appendOperations appends what was asked for and what came of it, an operation
// after the other: "READ 0x1a2b3c4d offset 0 count 4096 → 4096 octets, eof".
func (w *wording) appendOperations(b []byte, r *dissect.RPC) []byte {
	args, result := bodies(r)
	if len(w.ops) == 1 && w.ops[0].Args < 0 && w.ops[0].Result < 0 {
		at := len(b)
		if args != nil {
			b = view.AppendSummary(b, &args.Walker)
		}
		if result != nil {
			w.result = view.AppendSummary(w.result[:0], &result.Walker)
			b = appendOutcome(b, at, w.result, w.ops[0].Status)
		}
		return b
	}
	for i := range w.ops {
		op := &w.ops[i]
		if i > 0 {
			b = append(b, "; "...)
			if before := &w.ops[i-1]; result != nil && before.Result >= 0 && op.Result < 0 && !before.OK {
				b = appendCount(b, int64(len(w.ops)-i), "operation")
				return append(b, " not reached"...)
			}
		}
		at := len(b)
		if op.Args >= 0 {
			b = view.AppendOperation(b, &args.Walker, op.Args)
		} else {
			b = append(b, op.Name...)
		}
		if op.Result >= 0 {
			w.result = view.AppendOperation(w.result[:0], &result.Walker, op.Result)
			if repeats(op.Name, b[at:], w.result) {
				continue
			}
			b = appendOutcome(b, at, bytes.TrimLeft(bytes.TrimPrefix(w.result, []byte(op.Name)), " "), "")
		}
	}
	return b
}

// repeats reports whether the result of an operation only names the slot and
// sequence that were asked for, as that of SEQUENCE must (RFC 8881 section 18.46.3).
// Of any other operation to be told the same is news: what ACCESS grants.
func repeats(op string, args, result []byte) bool {
	if op != "SEQUENCE" && op != "CB_SEQUENCE" {
		return false
	}
	more, same := bytes.CutPrefix(args, result)
	return same && (len(more) == 0 || more[0] == ',')
}

// appendOutcome appends the summary of a result behind that of the arguments,
// which begins at octet at. A status that stands elsewhere in the row is left
// out.
func appendOutcome(b []byte, at int, outcome []byte, status string) []byte {
	if len(outcome) == 0 || string(outcome) == status {
		return b
	}
	if len(b) > at {
		b = append(b, " → "...)
	}
	return append(b, outcome...)
}

// bodies are the arguments and the result, nil where they are not known.
func bodies(r *dissect.RPC) (args, result *dissect.Body) {
	if r.Call != nil {
		args = r.Call.Body()
	}
	if r.Reply != nil {
		result = r.Reply.Body()
	}
	return args, result
}

// wording is what it takes to word RPCs, used again for each.
type wording struct {
	ops          []dissect.Op
	result, line []byte
}

// take notes the operations of the RPC that is worded next.
func (w *wording) take(r *dissect.RPC) { w.ops = r.Ops(w.ops[:0]) }
