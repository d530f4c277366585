package sym

import (
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A refusal is an operation that was answered with a status again and again.
type refusal struct {
	operation   string
	status      uint32
	reverse     bool
	name        string // of the status
	first, last flow.Moment
	count       int64
	// over says that the operation succeeded since, at the frame that ends it.
	over bool
	ends flow.Moment
	// unlike counts other RPCs since the last refusal.
	unlike  int
	finding *rules.Finding
	trouble trouble
	files   files // that it was about
}

const (
	mostRefusals = 16 // that are told apart on a connection
	// together is how long after one refusal another one belongs to the same trouble.
	together = int64(time.Minute)
	// mostUnlike is how many RPCs are looked at for one that ends a refusal.
	mostUnlike = 4096
)

// usualOps is more operations than most COMPOUNDs have.
const usualOps = 8

// operation is what was refused: the procedure, or of a COMPOUND the operation that failed,
// or that succeeded and was called last; "" if it is not known.
func operation(r *dissect.RPC) (name, status string) {
	op := lastDone(r)
	return op.Name, op.Status
}

// lastDone is that operation, without a name if it is not known.
func lastDone(r *dissect.RPC) dissect.Op {
	var room [usualOps]dissect.Op
	ops := r.Ops(room[:0])
	for i := len(ops) - 1; i >= 0; i-- {
		if ops[i].Status != "" {
			return ops[i]
		}
	}
	return dissect.Op{Args: -1}
}

// refuse counts a refusal, and returns it.
func (k *kept) refuse(r *dissect.RPC, status uint32) *refusal {
	done := lastDone(r)
	op, name := done.Name, done.Status
	if op == "" || status == numbers.StatusAccess && searches(op) {
		return nil
	}
	at := r.Reply.Moment()
	var x *refusal
	for _, y := range k.refusals {
		if y.status == status && y.operation == op && y.reverse == r.Reverse() {
			x = y
		}
	}
	switch {
	case x == nil && len(k.refusals) == mostRefusals:
		return nil
	case x == nil:
		x = &refusal{operation: op, status: status, reverse: r.Reverse(), name: name, first: at}
		k.refusals = append(k.refusals, x)
	case x.finding == nil && (x.over || at.Time-x.last.Time > together):
		x.first, x.count, x.files = at, 0, files{}
	}
	x.last, x.over, x.unlike = at, false, 0
	x.count++
	x.files.addFile(r, done.Args)
	return x
}

// done notes an RPC that did not fail: one with the operation of a refusal ends that. It
// reports whether any still waits for its end.
func (k *kept) done(r *dissect.RPC) (waits bool) {
	op := ""
	for _, x := range k.refusals {
		if x.finding == nil || x.over || x.unlike > mostUnlike {
			continue
		}
		if op == "" {
			op = succeeded(r, x.operation)
		}
		if x.unlike++; op == x.operation && x.reverse == r.Reverse() {
			x.over, x.ends = true, r.Reply.Moment()
			continue
		}
		waits = true
	}
	return waits
}

// succeeded is an operation if an RPC has it, and it succeeded; else something else.
func succeeded(r *dissect.RPC, operation string) string {
	const none = "-"
	var room [usualOps]dissect.Op
	for _, op := range r.Ops(room[:0]) {
		if op.Name == operation && op.OK {
			return operation
		}
	}
	return none
}

// note notes the finding.
func (x *refusal) note(f *rules.Finding, t trouble) {
	x.finding, x.trouble, f.Status = f, t, x.name
	f.Advise("%s", t.advice).With(x.first.Ref)
}

// often says how often it was.
func (x *refusal) often() string {
	if x.count == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times in %s", x.count, rules.Duration(x.last.Time-x.first.Time))
}

// describe says it in the finding as far as it is known.
func (x *refusal) describe(c *rules.Conn) {
	f := x.finding
	what := "failed"
	if x.trouble.waits {
		what = "was refused"
	}
	f.Messagef("%s %s %s with %s: %s", x.operation, what, x.often(), x.name, x.trouble.text)
	f.Message += x.files.phrase(x.count == 1)
	if x.over {
		f.Message += fmt.Sprintf("; it succeeded %s after the first", rules.Duration(x.ends.Time-x.first.Time))
	}
	f.Evidence = f.Evidence[:0]
	f.See("status", x.name, nil).See("operation", x.operation, nil).See("times", x.count, nil)
	if x.count > 1 {
		f.See("time from the first to the last", finding.Nanoseconds(x.last.Time-x.first.Time), nil)
	}
	x.files.show(f)
	if x.over {
		f.See("what ended it", "success in frame "+c.Capture.FrameName(x.ends.Ref), nil)
	} else {
		f.See("what ended it", "nothing in the capture", nil)
	}
	f.Last, f.LastTime = x.last.Ref, x.last.Time
}
