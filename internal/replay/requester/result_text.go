package requester

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rdmacap/rdmacap/field"
)

// WriteText writes of each result the differences as a table, what else is to be reported of calls, and the
// counts.
func WriteText(w io.Writer, results ...*Result) error {
	var b strings.Builder
	for i, r := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Result) text(b *strings.Builder) {
	if r.Connection != 0 {
		fmt.Fprintf(b, "connection %d: ", r.Connection)
	}
	if r.Device.Name == "" {
		fmt.Fprintf(b, "the connection could not be made: %v\n", r.Ended)
		return
	}
	r.headText(b)
	r.ownText(b)
	r.tableText(b)
	r.notesText(b)
	r.sumText(b)
}

func (r *Result) headText(b *strings.Builder) {
	kind := "RoCE or InfiniBand"
	if r.Device.IWARP {
		kind = "iWARP"
	}
	fmt.Fprintf(b, "%v to %v over %s (%s); the server's private data: %s\n", r.Local, r.Peer, r.Device.Name, kind, privateText(r.Server))
	fmt.Fprintf(b, "remote invalidation: %v", r.Way)
	if r.Cleared {
		fmt.Fprintf(b, ", because %s has neither memory windows nor handles of registered memory that a peer may invalidate", r.Device.Name)
	}
	b.WriteByte('\n')
}

// ownText says what the replay did itself, and what of it failed.
func (r *Result) ownText(b *strings.Builder) {
	if len(r.Own) == 0 {
		return
	}
	failed := 0
	for _, c := range r.Own {
		if c.Failed {
			failed++
		}
	}
	fmt.Fprintf(b, "%s of the replay's own, because the capture begins late: %d succeeded\n", field.Counted(len(r.Own), "call"), len(r.Own)-failed)
	for _, c := range r.Own {
		if c.Failed {
			fmt.Fprintf(b, "  %s: %s\n", c.What, c.Status)
		}
	}
	for _, line := range slices.Concat(r.Assumed, r.Lacking) {
		fmt.Fprintf(b, "  %s\n", line)
	}
}

// tableText is a row for each difference.
func (r *Result) tableText(b *strings.Builder) {
	var rows [][6]string
	for i, e := range r.Exchanges {
		call := [3]string{strconv.Itoa(i + 1), strconv.FormatInt(e.Call.Request.Frame.Number, 10), e.Call.Name}
		add := func(what, captured, live string) {
			rows = append(rows, [6]string{call[0], call[1], call[2], what, captured, live})
		}
		if e.Outcome != Answered && !e.Closed {
			add("reply", answerOf(e.Call), e.Outcome.String()+": "+e.Why)
		}
		for _, d := range e.Differences {
			add(d.What, d.Captured, d.Live)
		}
		if e.More > 0 {
			add(fmt.Sprintf("%d more", e.More), "", "")
		}
	}
	if len(rows) == 0 {
		return
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "Call\tFrame\tOperation\tDifference\tCaptured\tLive")
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row[:], "\t"))
	}
	t.Flush() // into memory: there is no error
}

// notesText says what else is to be reported.
func (r *Result) notesText(b *strings.Builder) {
	for i, e := range r.Exchanges {
		if e.Closed {
			fmt.Fprintf(b, "call %d, %s: no reply: %s\n", i+1, e.Call.Name, e.Why)
		}
		for _, note := range e.Notes {
			fmt.Fprintf(b, "call %d, %s: %s\n", i+1, e.Call.Name, note)
		}
		if e.MadeUp > 0 {
			fmt.Fprintf(b, "call %d, %s: %s of its Read chunks were made up\n", i+1, e.Call.Name, bytesOf(e.MadeUp))
		}
		for _, u := range e.Unbound {
			fmt.Fprintf(b, "call %d, %s: %s (%s) %s\n", i+1, e.Call.Name, u.Kind, u.Field, u.Reason)
		}
	}
	for _, c := range r.ReverseCalls {
		name := c.Name
		if name == "" {
			name = "procedure " + strconv.Itoa(int(c.Procedure))
		}
		fmt.Fprintf(b, "the server called %s: answered %s\n", name, c.Answer)
	}
	if r.Unexpected > 0 {
		fmt.Fprintf(b, "%s of the server matched no open call\n", field.Counted(r.Unexpected, "message"))
	}
}

// sumText counts.
func (r *Result) sumText(b *strings.Builder) {
	n := r.Counts()
	fmt.Fprintf(b, "%s: %d answered", field.Counted(n.Calls, "call"), n.Answered)
	for _, x := range []struct {
		n    int
		what string
	}{{n.NoReply - n.Closed, "without a reply"}, {n.Closed, "open at the end, as captured"}, {n.NotSent, "not sent"}, {n.Differ, "answered differently"}, {n.Retried, "repeated at the server's request"}} {
		if x.n > 0 {
			fmt.Fprintf(b, ", %d %s", x.n, x.what)
		}
	}
	if n.Differ == 0 && n.Answered+n.Closed == n.Calls {
		b.WriteString(" as captured")
	}
	fmt.Fprintf(b, "; %d open at a time, in %v", r.Open, round(r.Elapsed))
	if r.Waited > 0 {
		fmt.Fprintf(b, ", %v of it waiting at the server's request", round(r.Waited))
	}
	b.WriteByte('\n')
	if captured, live, ok := r.latencies(); ok {
		fmt.Fprintf(b, "time to reply: captured median %v, 90th percentile %v; live median %v, 90th percentile %v\n",
			round(captured[0]), round(captured[1]), round(live[0]), round(live[1]))
	}
	if r.Ended != nil {
		fmt.Fprintf(b, "the replay was aborted: %v\n", r.Ended)
	}
}

// latencies are median and 90th percentile of those calls that were answered here and there.
func (r *Result) latencies() (captured, live [2]time.Duration, ok bool) {
	var was, is []time.Duration
	for _, e := range r.Exchanges {
		if ns, known := e.Call.Latency(); known && e.Outcome == Answered {
			was, is = append(was, time.Duration(ns)), append(is, e.Latency)
		}
	}
	if len(was) == 0 {
		return captured, live, false
	}
	slices.Sort(was)
	slices.Sort(is)
	at := [2]int{(len(was) - 1) / 2, (len(was)*9 - 1) / 10}
	for i, n := range at {
		captured[i], live[i] = was[n], is[n]
	}
	return captured, live, true
}
