package requester

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// WriteText writes what the plans are going to do, what of it changes files, and what they cannot
// reproduce. To is the server.
func (t *Together) WriteText(w io.Writer, to string) error {
	var b strings.Builder
	if len(t.Plans) > 1 {
		fmt.Fprintf(&b, "%d connections at a time, each call after what came before it on any of them\n\n", len(t.Plans))
	}
	for i, p := range t.Plans {
		if i > 0 {
			b.WriteByte('\n')
		}
		p.text(&b, to)
	}
	if len(t.Left) > 0 {
		b.WriteByte('\n')
	}
	for i, x := range t.Left {
		if i == script.MostNamed {
			least := ""
			if len(t.Left) >= script.MaxOthers {
				least = "at least "
			}
			fmt.Fprintf(&b, "and %s%d more are left out\n", least, len(t.Left)-i)
			break
		}
		fmt.Fprintf(&b, "%v is left out: %s\n", x.Other, x.Why)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text is what one plan is going to do.
func (p *Plan) text(b *strings.Builder, to string) {
	c := p.Conversation
	fmt.Fprintf(b, "connection %d, %v: %v to %v, %v\n", c.ID, c.Transport, c.Client.Addr, c.Server.Addr, field.Counted(len(c.Calls), "call"))
	fmt.Fprintf(b, "replayed to %s:\n", to)
	fmt.Fprintf(b, "  %s, at most %d open at a time in the capture, which took %v; %s\n", field.Counted(p.Calls, "call"), p.Most, round(p.Span), p.pace())
	fmt.Fprintf(b, "  private data %s\n", p.privateWords())
	fmt.Fprintf(b, "  memory for %s: %s, and at most %s for one call\n", field.Counted(p.Segments, "segment"), bytesOf(p.Registered), bytesOf(p.MostRegistered))
	if p.Options.Binder != nil {
		b.WriteString("  handles, state and owners are replaced with the server's\n")
	}
	if p.Root != nil {
		fmt.Fprintf(b, "  the root's handle %x is looked up as %q with NFS 4\n", p.Root, p.Options.RootPath)
	}
	p.ownText(b)
	if p.Others > 0 {
		fmt.Fprintf(b, "  %s that are not calls, as captured\n", field.Counted(p.Others, "message"))
	}
	if c.Unselected > 0 {
		fmt.Fprintf(b, "  %s not selected\n", field.CountedAre(c.Unselected, "RPC"))
	}
	if p.Retransmissions > 0 {
		fmt.Fprintf(b, "  %s sent on another connection before, with the same XID and bytes\n", was(p.Retransmissions, "call"))
	}
	if p.Left > 0 {
		fmt.Fprintf(b, "  %s left out: --max-calls is %d\n", field.CountedAre(p.Left, "call"), p.Options.MaxCalls)
	}
	for _, line := range p.Faults {
		fmt.Fprintf(b, "  fault injection: %s\n", line)
	}
	if left := c.LeftOut(); left != "" {
		b.WriteString(left + "  --connection all replays them together\n")
	}
	p.changesText(b)
	p.ownersText(b)
	p.lacksText(b)
}

// ownText says what the replay does itself.
func (p *Plan) ownText(b *strings.Builder) {
	for _, part := range []struct {
		when string
		list []bind.Own
	}{{"before the first call, because the capture begins late", p.Own.Before}, {"after the last call", p.Own.After}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(b, "  calls that replay makes itself %s:\n", part.when)
		for _, c := range part.list {
			fmt.Fprintf(b, "    %s\n", c.What)
		}
	}
	for _, line := range p.Own.Assumed {
		fmt.Fprintf(b, "  %s\n", line)
	}
}

// pace says how calls follow one another.
func (p *Plan) pace() string {
	switch {
	case p.Options.IgnoreCredits:
		return "sent all at once"
	case p.Options.Immediately:
		return "sent as soon as what preceded them in the capture has arrived"
	case p.Options.Speed == 1:
		return "sent with the gaps of the capture"
	}
	return fmt.Sprintf("sent with the gaps of the capture, %v times as fast", p.Options.Speed)
}

// privateWords are the private data in bytes and words.
func (p *Plan) privateWords() string {
	words := "none"
	if len(p.PrivateData) > 0 {
		words = hex.EncodeToString(p.PrivateData)
	}
	if told, ok := p.privateData(); ok {
		words += ": " + told.String()
	}
	if p.Made != "" {
		return words + " (" + p.Made + ")"
	}
	return words + ", as captured"
}

// changesText says what the calls do to the server.
func (p *Plan) changesText(b *strings.Builder) {
	for _, e := range []effect.Effect{effect.Changes, effect.State} {
		list := p.Effects.Of(e)
		if len(list) > 0 {
			b.WriteString(e.Heading() + "\n")
		}
		for _, x := range list {
			fmt.Fprintf(b, "  %6d %s", x.Calls, x.By)
			if x.Bytes > 0 {
				fmt.Fprintf(b, ", with %s in Read chunks", bytesOf(x.Bytes))
			}
			b.WriteByte('\n')
		}
		if len(list) == 0 && e == effect.Changes {
			b.WriteString("no call changes files\n")
		}
	}
}

// ownersText says whose state is at stake where owners of clients stay as captured.
func (p *Plan) ownersText(b *strings.Builder) {
	if p.Options.Binder != nil {
		return
	}
	for _, s := range p.steps {
		for i := 0; s.kind == stepSend && s.call != nil && i < len(s.call.Ops); i++ {
			if name := s.call.Ops[i].Name; name == "EXCHANGE_ID" || name == "SETCLIENTID" {
				fmt.Fprintf(b, "%s names the captured client as the owner: if that client is alive, it loses its state on the server (--bind uses another name)\n", name)
				return
			}
		}
	}
}

// lacksText says what cannot be reproduced.
func (p *Plan) lacksText(b *strings.Builder) {
	b.WriteString("what cannot be reproduced:\n")
	list := append([]string(nil), p.Conversation.Lacks...)
	list = append(append(list, p.Skipped...), p.Unbound...)
	if p.MadeUp > 0 {
		list = append(list, bytesOf(p.MadeUp)+" of Read chunks are made up: zeros")
	}
	list = append(list,
		"handles, XIDs and, if the device does not choose them, offsets differ",
		"PSNs, MSNs, ICRCs, CRCs, markers, retransmissions and RNR times are the device's")
	list = append(list, p.Conversation.Device...)
	for _, line := range list {
		fmt.Fprintf(b, "  %s\n", line)
	}
}

func was(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return fmt.Sprintf("%d %ss were", n, what)
}

// bytesOf is a number of bytes with a unit.
func bytesOf(n uint64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// round leaves three digits of a time.
func round(d time.Duration) time.Duration {
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}

// privateText is what an end reported, for a person.
func privateText(p *rpcrdma.PrivateData) string {
	if p == nil {
		return "none of RFC 8797"
	}
	return p.String()
}
