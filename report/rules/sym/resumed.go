package sym

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// resumed is what the first RPCs of a connection say of the state that its client had at the server
// (RFC 8881, section 8.4.2; RFC 7530, section 9.6.2).
type resumed struct {
	rpcs  int
	claim values.Field
	// forgot is the status by which the server first said that it does not know the state any more, to an
	// operation, in frame forgotAt.
	forgot, to string
	forgotAt   flow.Ref
	// identified says that the client made itself known again, reopened how many opens it reclaimed.
	identified bool
	reopened   int
	// complete is when it told that it reclaimed all.
	complete flow.Moment
}

const (
	mostResuming  = 256 // RPCs of a connection that are looked at: those after fewResuming only if something is to follow
	fewResuming   = 16
	claimPrevious = 1 // open_claim_type4
)

// resume009 looks at the first COMPOUNDs of a connection.
func resume009(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if c.RPCs > mostResuming || r.Reply == nil || r.Reverse() {
		return
	}
	k := state.Of(c)
	if k.resumed == nil {
		k.resumed = &resumed{claim: values.FieldOf("OPEN4args.claim.claim")}
	}
	x := k.resumed
	if x.rpcs++; x.rpcs > mostResuming || x.rpcs > fewResuming && x.forgot == "" && x.reopened == 0 && r.StatusWord() == 0 {
		return
	}
	var room [usualOps]dissect.Op
	for _, op := range r.Ops(room[:0]) {
		x.takeOp(r, &op)
	}
}

func (x *resumed) takeOp(r *dissect.RPC, op *dissect.Op) {
	switch op.Status {
	case "NFS4ERR_BADSESSION", "NFS4ERR_DEADSESSION", "NFS4ERR_STALE_CLIENTID", "NFS4ERR_STALE_STATEID", "NFS4ERR_EXPIRED":
		if x.forgot == "" {
			x.forgot, x.to, x.forgotAt = op.Status, op.Name, r.Reply.Frame()
		}
	}
	if !op.OK {
		return
	}
	switch op.Name {
	case "EXCHANGE_ID", "SETCLIENTID":
		x.identified = true
	case "RECLAIM_COMPLETE":
		x.complete = r.Reply.Moment()
	case "OPEN":
		if args := r.Call.Body(); args != nil && op.Args >= 0 {
			if e := x.claim.In(args, values.Within(args, op.Args)); e != nil && e.Value == claimPrevious {
				x.reopened++
			}
		}
	}
}

// lost reports whether state is shown to have been lost.
func (x *resumed) lost() bool { return x.forgot != "" || x.reopened > 0 }

// report says what became of the state, after when the client connected again.
func (x *resumed) report(e *rules.ConnRef, begun int64, f *rules.Finding) {
	var parts []string
	if x.forgot != "" {
		parts = append(parts, fmt.Sprintf("%s was answered with %s", x.to, x.forgot))
		f.See("state lost", x.forgot+" in frame "+e.FrameName(x.forgotAt), nil).With(x.forgotAt)
	}
	if x.identified && x.forgot != "" {
		parts = append(parts, "the client identified itself again")
	}
	if x.reopened > 0 {
		parts = append(parts, "it reclaimed "+field.Counted(int64(x.reopened), "open"))
		f.See("opens reclaimed", x.reopened, nil)
	}
	if x.complete.Time != 0 && len(parts) > 0 {
		parts = append(parts, "all was reclaimed "+rules.Duration(max(0, x.complete.Time-begun))+" after that")
		f.With(x.complete.Ref)
	}
	f.Message += ". State was lost: " + strings.Join(parts, ", ")
}
