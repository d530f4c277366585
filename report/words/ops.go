package words

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
)

// Words says of RPCs, one after the other, what their rows in text do. Nothing is allocated
// for an RPC once its buffers are large enough. The zero Words is ready.
type Words struct {
	Ops          []dissect.Op
	Result, Line []byte
}

// Take turns to an RPC, which the other methods are about until the next Take.
func (w *Words) Take(r *dissect.RPC) { w.Ops = r.Ops(w.Ops[:0]) }

// AppendOperations appends what was asked for and what came of it, an operation
// after the other: "READ 0x1a2b3c4d offset 0 count 4096 → 4096 bytes, eof".
func (w *Words) AppendOperations(b []byte, r *dissect.RPC) []byte {
	args, result := Bodies(r)
	if len(w.Ops) == 1 && w.Ops[0].Args < 0 && w.Ops[0].Result < 0 {
		at := len(b)
		if args != nil {
			b = view.AppendSummary(b, &args.Walker)
		}
		if result != nil {
			w.Result = view.AppendSummary(w.Result[:0], &result.Walker)
			b = AppendOutcome(b, at, w.Result, w.Ops[0].Status)
		}
		return b
	}
	for i := range w.Ops {
		op := &w.Ops[i]
		if i > 0 {
			b = append(b, "; "...)
			if before := &w.Ops[i-1]; result != nil && before.Result >= 0 && op.Result < 0 && !before.OK {
				b = AppendCount(b, int64(len(w.Ops)-i), "operation")
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
			w.Result = view.AppendOperation(w.Result[:0], &result.Walker, op.Result)
			if repeats(op.Name, b[at:], w.Result) {
				continue
			}
			b = AppendOutcome(b, at, bytes.TrimLeft(bytes.TrimPrefix(w.Result, []byte(op.Name)), " "), "")
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

// AppendOutcome appends the summary of a result after that of the arguments,
// which begins at byte at. A status that stands elsewhere in the row is left
// out.
func AppendOutcome(b []byte, at int, outcome []byte, status string) []byte {
	if len(outcome) == 0 || string(outcome) == status {
		return b
	}
	if len(b) > at {
		b = append(b, " → "...)
	}
	return append(b, outcome...)
}

// Bodies are the arguments and the result, nil where they are not known.
func Bodies(r *dissect.RPC) (args, result *dissect.Body) {
	if r.Call != nil {
		args = r.Call.Body()
	}
	if r.Reply != nil {
		result = r.Reply.Body()
	}
	return args, result
}
