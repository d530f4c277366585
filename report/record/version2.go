package record

import (
	"encoding/hex"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// option appends what an RDMA2_OPTIONAL says; o is nil for any other message.
func option(b *buffer, name string, o *rpcrdma.Option) {
	if o == nil {
		b.null(name)
		return
	}
	b.object(name)
	b.uint("type", uint64(o.Type))
	b.str("name", o.Type.Name())
	b.list("characteristics")
	for _, x := range o.Characteristics {
		b.object("")
		b.uint("id", uint64(x.ID))
		b.str("name", x.ID.Name())
		if x.Decoded {
			characteristic(b, x.ID, x.Value)
		} else {
			b.str("value", hex.EncodeToString(o.Bytes(x)))
		}
		b.Close('}')
	}
	b.Close(']')
	subset(b, "no_change", o, o.NoChange)
	subset(b, "done", o, o.Done)
	subset(b, "rejected", o, o.Rejected)
	subset(b, "pending", o, o.Pending)
	b.bool("pending_clear", o.PendingClear)
	if !o.Known() {
		b.str("octets", hex.EncodeToString(o.Info))
	}
	b.Close('}')
}

// characteristic appends a value as its type has it.
func characteristic(b *buffer, id rpcrdma.CharacteristicID, value uint32) {
	switch id {
	case rpcrdma.XcharRQREMINV:
		b.bool("value", value == 1)
	case rpcrdma.XcharBRS:
		b.str("value", rpcrdma.ReverseSupport(value).String())
	default:
		b.uint("value", uint64(value))
	}
}

func subset(b *buffer, name string, o *rpcrdma.Option, s rpcrdma.Subset) {
	b.list(name)
	o.Elements(s, func(n int) bool {
		b.int("", int64(n))
		return true
	})
	b.Close(']')
}

// negotiation appends how a connection came to its version.
func negotiation(b *buffer, name string, c *dissect.Connection) {
	n, _ := c.Negotiation() // there is one: it stands after a limitation
	b.object(name)
	if n.Tried != 0 {
		b.uint("tried", uint64(n.Tried))
	} else {
		b.null("tried") // only what refused it is in the capture
	}
	b.bool("refused", n.Refused)
	if n.Refused {
		b.uint("vers_low", uint64(n.Low))
		b.uint("vers_high", uint64(n.High))
	}
	if n.Agreed != 0 {
		b.uint("agreed", uint64(n.Agreed))
	} else {
		b.null("agreed")
	}
	b.Close('}')
}

// characteristics appends what an end announced, in order.
func characteristics(b *buffer, name string, t *dissect.Timeline) {
	b.list(name)
	for _, c := range t.Changes() {
		b.object("")
		b.int("frame", c.Frame.Number)
		b.str("by", c.By.Name())
		b.uint("id", uint64(c.ID))
		b.str("name", c.ID.Name())
		if c.Known {
			characteristic(b, c.ID, c.Value)
		} else {
			b.null("value")
		}
		b.bool("no_change", c.NoChange)
		b.Close('}')
	}
	b.Close(']')
}
