package html

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/page/evidence"
	"github.com/rdmacap/rdmacap/report/words"
)

// evidenceOf is the evidence of an RPC, which words are about; several says that there are several
// captures.
func evidenceOf(r *dissect.RPC, row *columns.Row, w *words.Words, several bool) *rpcEvidence {
	e := new(rpcEvidence)
	i := &e.item
	i.Title = row.Name + ", RPC " + string(words.AppendHandle(nil, r.XID)) + ", " + row.Status
	i.Ops = operations(r, w)
	i.Phases = phasesOf(r)
	list := exhibit.OfWire(r, nil)
	messages := messagesOf(r)
	e.pieces = make([]dissect.Pieces, len(list))
	for n := range list {
		x := exhibitOf(&list[n], several)
		if n < len(messages) && messages[n] != nil {
			m := messages[n]
			e.pieces[n] = m.Pieces()
			if len(m.Frames) == 1 {
				x.Frame, x.Part = m.Frame(), true
			}
		}
		i.Exhibits = append(i.Exhibits, x)
	}
	e.request = ladder.Of(r, row.Name, row.Status)
	return e
}

// phasesOf is where the time of an RPC went.
func phasesOf(r *dissect.RPC) (list []evidence.Phase) {
	parts, _, _ := exhibit.PartsOf(r)
	for i := range parts {
		p := &parts[i]
		x := evidence.Phase{Word: p.Phase.String(), Name: p.Name, Nanoseconds: p.Nanoseconds, OfLatency: p.Phase.OfLatency()}
		if p.Doubt != "" {
			x.Name += ", " + p.Doubt
		}
		list = append(list, x)
	}
	return list
}

// messagesOf are the messages that the first exhibits of an RPC are, nil for one that
// is the long message after it.
func messagesOf(r *dissect.RPC) (list []*dissect.Message) {
	for _, m := range [...]*dissect.Message{r.Call, r.Reply, r.Untaken} {
		if m == nil {
			continue
		}
		list = append(list, m)
		if m.Transfer == dissect.Long {
			list = append(list, nil)
		}
	}
	return list
}

// operations are those of an RPC, each with what was asked for and what came of it.
func operations(r *dissect.RPC, w *words.Words) (list []evidence.Op) {
	args, result := words.Bodies(r)
	for n := range w.Ops {
		op := &w.Ops[n]
		one := evidence.Op{Name: op.Name, Status: op.Status}
		var b []byte
		switch {
		case op.Args < 0 && op.Result < 0:
			b = w.AppendOperations(b, r)
		default:
			if op.Args >= 0 && args != nil {
				b = trimName(view.AppendOperation(b, &args.Walker, op.Args), op.Name)
			}
			if op.Result >= 0 && result != nil {
				w.Result = view.AppendOperation(w.Result[:0], &result.Walker, op.Result)
				b = words.AppendOutcome(b, 0, trimName(w.Result, op.Name), op.Status)
			} else if r.Reply != nil && op.Result < 0 {
				one.Status = "not reached"
			}
		}
		one.Detail = string(b)
		list = append(list, one)
	}
	return list
}

// trimName takes the name of an operation from the front of its summary.
func trimName(b []byte, name string) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, []byte(name)), " ")
}
