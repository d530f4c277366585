package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ddp011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected), rules.DetailIf(rules.BeganLate)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{readings()},
		On:          []rules.Event{rules.OnRPC(rules.WithWrites, rpc011)},
	}
}

func rpc011(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	m := r.Reply
	if m == nil || len(m.Header.Writes) == 0 || len(m.Header.Writes) > mostChunks {
		return
	}
	b := readingOf(c).reply(c, r)
	if b == nil {
		return
	}
	for i := range certainly(r, b) {
		e := &b.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 || !e.Eligible {
			continue
		}
		returned := b.Reduced.Writes[e.Chunk]
		if returned == e.Length && returned%4 != 0 {
			state.Of(c).exact = true
		}
		letter, as := "a", report
		switch {
		case returned == e.Length:
			letter = ""
		case uint64(returned) == xdr.Padded(e.Length):
			letter = "c"
			if !exact(c) && !c.BeganLate() && c.ServerPrivate == nil && m.Header.Version == rpcrdma.Version1 {
				as = report.As(finding.Warning)
			}
		}
		if letter != "" {
			if f := as.Part(letter, r, m, ""); f != nil {
				pad := ""
				if letter == "c" && reach(r, int(e.Chunk)) == uint64(e.Length) {
					pad = ": the pad was counted but not written"
				}
				f.Messagef("the %s returned %d bytes in %s, but the result in it has %d%s", c.Sender(m.From), returned, rpcrdma.WriteChunkName(int(e.Chunk)), e.Length, pad)
				f.See("bytes returned", returned, e.Length)
				markWriteLengths(f, m, int(e.Chunk))
			}
		}
		if e.Length%4 == 0 {
			continue
		}
		if wrote := reach(r, int(e.Chunk)); wrote == xdr.Padded(e.Length) {
			if f := report.Part("b", r, m, ""); f != nil {
				f.Messagef("the %s wrote %d bytes into %s: the %d bytes of the result and its pad", c.Sender(m.From), wrote, rpcrdma.WriteChunkName(int(e.Chunk)), e.Length)
				f.See("bytes written", wrote, e.Length)
				f.Body(m, b, int(e.Offset)-xdr.WordSize, xdr.WordSize)
			}
		}
	}
}

// exact reports whether the server returned a length that is not a multiple of 4.
func exact(c *rules.Conn) bool {
	k := state.IfAny(c)
	return k != nil && k.exact
}

// reach is how far into a Write chunk RDMA Writes were seen, in bytes from its
// first.
func reach(r *dissect.RPC, chunk int) (end uint64) {
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if g.Purpose != rpcrdma.ForWrite || g.Chunk != chunk || len(g.Seen) == 0 {
			continue
		}
		end = max(end, g.Start+g.Seen[len(g.Seen)-1].End)
	}
	return end
}

// certainly is how many events of a result are what they look like: all if its text explains it to the
// last byte; else, of a COMPOUND, those before the last operation that the call has in that place too. What
// was taken for data before that lay where it should, or no operation would follow.
func certainly(r *dissect.RPC, b *dissect.Body) (n int) {
	if values.Explained(b) {
		return len(b.Events)
	}
	if b.Dropped || r.Call == nil {
		return 0
	}
	args := r.Call.Body()
	if args == nil || args.Fault.Bad() {
		return 0
	}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Operation {
			continue
		}
		at := values.Answer(args, e.Index)
		if at < 0 || args.Events[at].Value != e.Value {
			return n
		}
		n = i
	}
	return n
}
