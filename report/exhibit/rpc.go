package exhibit

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// OfRPC returns what OfWire does, and where the time went.
func OfRPC(r *dissect.RPC, m *Moves) (list []Exhibit) {
	list = OfWire(r, m)
	if parts, latency, ok := PartsOf(r); ok {
		list = append(list, phases(parts, latency))
	}
	return list
}

// OfWire returns the call and the reply, the long messages that chunks carried, and the account of
// the chunks. Which operations moved the bytes of chunks is not said where m is nil.
func OfWire(r *dissect.RPC, m *Moves) (list []Exhibit) {
	list = messages(r)
	if len(r.Offer.Regions) > 0 {
		list = append(list, chunks(r, m))
	}
	return list
}

func messages(r *dissect.RPC) (list []Exhibit) {
	if r.Call != nil {
		list = append(list, OfMessage(r.Call))
		if r.Call.Transfer == dissect.Long {
			list = append(list, long(r.Call, "Long call from the Position-Zero Read chunk"))
		}
	}
	if r.Untaken != nil {
		list = append(list, OfMessage(r.Untaken))
	}
	if r.Reply != nil {
		list = append(list, OfMessage(r.Reply))
		if r.Reply.Transfer == dissect.Long {
			list = append(list, long(r.Reply, "Long reply from the Reply chunk"))
		}
	}
	return list
}

// long is a long message, as far as it was put back together.
func long(m *dissect.Message, title string) Exhibit {
	data := m.LongMessage()
	return Exhibit{
		title: titled(title + ", " + field.ByteCount(len(data))),
		Bytes: data,
		Nodes: rpcNodes(m, data, 0),
	}
}
