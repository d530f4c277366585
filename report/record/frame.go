package record

import (
	"encoding/hex"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/words"
	"github.com/rdmacap/rdmacap/rocev2"
)

// frame appends the members of a frame record.
func (j *JSON) frame(b *buffer, v *dissect.FrameView) {
	f := v.Frame
	j.place(b, f.Ref())
	b.time("time", f.Time)
	b.int("length", int64(f.Length))
	b.int("captured", int64(len(f.Data)))
	if v.Link.Src().IsValid() {
		b.textFrom("source", v.Link.Src().AppendTo)
		b.textFrom("destination", v.Link.Dst().AppendTo)
	}
	switch {
	case v.IB != nil:
		j.packet(b, v)
	case v.IWARP():
		j.segment(b, v)
	default:
		b.str("protocol", v.Link.Protocol())
		if v.Link.TCPData() > 0 && v.Link.Protocol() == "TCP" {
			j.tcp(b, v)
		}
	}
	if c := v.Connection; c != nil {
		b.number("connection", c)
		direction(b, c.ToServer(v.Verdict.From))
	} else {
		b.null("connection")
	}
	b.strOrNull("note", v.Verdict.Note.String())
	if v.Verdict.Missing > 0 {
		b.int("missing_before", int64(v.Verdict.Missing))
	}
	if m := v.Message; m != nil {
		b.object("message")
		j.message(b, m)
		b.Close('}')
	} else {
		b.null("message")
	}
	bad := v.Link.Fault().String()
	if bad == "" {
		bad = words.IbFault(v)
	}
	for i := range v.Verdict.Units {
		if bad == "" {
			bad = words.UnitFault(&v.Verdict.Units[i])
		}
	}
	b.strOrNull("malformed", bad)
	if len(f.Comments()) > 0 {
		b.list("comments")
		for _, c := range f.Comments() {
			b.str("", c)
		}
		b.Close(']')
	}
}

// packet appends what the transport headers say.
func (j *JSON) packet(b *buffer, v *dissect.FrameView) {
	p := v.IB
	b.str("transport", v.Link.Transport.String())
	b.str("opcode", p.OpCode.String())
	b.uint("dest_qpn", uint64(p.DestQP))
	b.uint("psn", uint64(p.PSN))
	b.bool("ack_request", p.AckReq())
	b.int("payload_length", int64(p.PayloadLength()))
	if p.RETH() != 0 {
		b.handle("rkey", p.RKey())
		b.hex("va", p.VA(), 16)
		b.uint("dma_length", uint64(p.DMALen()))
	}
	if p.Atomic() != 0 {
		b.handle("rkey", p.RKey())
		b.hex("va", p.VA(), 16)
		b.hex("swap", p.Swap(), 16)
		b.hex("compare", p.Compare(), 16)
	}
	if p.AETH() != 0 {
		b.str("syndrome", p.Syndrome().String())
		b.uint("msn", uint64(p.MSN()))
	}
	if p.AtomicAck() != 0 {
		b.hex("original", p.Original(), 16)
	}
	if p.ImmDt() != 0 {
		b.handle("immediate", p.Imm())
	}
	if p.IETH() != 0 {
		b.handle("invalidated", p.InvRKey())
	}
	switch v.ICRC() {
	case rocev2.ICRCRight:
		b.str("icrc", "right")
	case rocev2.ICRCWrong:
		b.str("icrc", "wrong")
	default:
		b.str("icrc", "unchecked")
	}
}

// exhibits appends the field trees and octets that were asked for.
func (j *JSON) exhibits(b *buffer, of func() []exhibit.Exhibit) {
	if !j.opts.Details && !j.opts.Hex {
		return
	}
	b.list("details")
	for _, e := range of() {
		b.object("")
		b.str("title", e.Title(j.opts.Files > 1))
		if j.opts.Hex {
			b.str("octets", hex.EncodeToString(e.Octets))
		}
		nodes(b, "fields", e.Nodes)
		b.Close('}')
	}
	b.Close(']')
}

func nodes(b *buffer, name string, list []field.Node) {
	b.list(name)
	for i := range list {
		n := &list[i]
		b.object("")
		b.str("name", n.Name)
		if n.Key != "" {
			b.str("key", n.Key)
		}
		if n.Value != "" {
			b.str("value", n.Value)
		}
		b.int("start", int64(n.Start))
		b.int("end", int64(n.End))
		if n.Fault != "" {
			b.str("fault", n.Fault)
		}
		if len(n.Children) > 0 {
			nodes(b, "fields", n.Children)
		}
		b.Close('}')
	}
	b.Close(']')
}
