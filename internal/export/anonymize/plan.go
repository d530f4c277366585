package anonymize

import (
	"crypto/sha256"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A Plan is what becomes of the frames that were chosen.
type Plan struct {
	key    *Key
	m      *Mapping
	frames map[flow.Ref]*frame
	groups map[groupKey]*group
	stats  Stats
	// out is the frame that is rewritten, known which of its bytes are, blank a frame of which
	// nothing is known.
	out, blank []byte
	known      []bool
}

// Stats counts what a Plan did.
type Stats struct {
	// Data is how many bytes became others without a meaning of their own: file data and what is
	// not known.
	Data int64
	// Unknown is how many frames carried something of which no byte was understood, though it is
	// none of the data that RDMA moves.
	Unknown int64
}

// NewPlan is a plan for frames that are yet to be found.
func NewPlan(k *Key) *Plan {
	return &Plan{key: k, m: NewMapping(k), frames: make(map[flow.Ref]*frame), groups: make(map[groupKey]*group)}
}

// Mapping is what replaces things.
func (p *Plan) Mapping() *Mapping { return p.m }

// Stats are those of the frames that were rewritten so far.
func (p *Plan) Stats() Stats { return p.stats }

// A frame is one that was chosen.
type frame struct {
	lower link.Packet
	sums  []link.Checksum
	ib    bool
	// payload is where what the transport carries begins, end where it ends; 0 and the length of
	// what was captured if there is none.
	payload, end int
	head         []span // of the headers, by their offset in the frame
	group        *group
	hash         [sha256.Size]byte // of the payload
}

// A span is bytes that are known.
type span struct {
	at int
	is []byte
}

// A group is frames that carry the same: one was retransmitted, or captured twice. What is known of one
// is known of all.
type group struct {
	name    groupKey
	spans   []span // by their offset in the payload
	stream  stream
	at      uint64 // of the stream
	carries bool   // something that is known to be there: data, FPDUs
}

// A groupKey is what frames have in common that carry the same: a sum over who sends to whom, which
// part of what they send it is, and what it is.
type groupKey [sha256.Size]byte

// place puts what is known of bytes of a frame into its group, or its headers.
func (f *frame) place(at int, is []byte) {
	if f.group != nil && at >= f.payload {
		f.group.spans = append(f.group.spans, span{at - f.payload, append([]byte(nil), is...)})
		return
	}
	f.head = append(f.head, span{at, append([]byte(nil), is...)})
}

// addFrame makes the entry of a frame.
func (p *Plan) addFrame(v *dissect.FrameView) *frame {
	data := v.Frame.Data
	headers := v.Headers()
	f := &frame{lower: *v.Link, sums: headers.Checksums(), ib: v.IB != nil, payload: len(data), end: len(data)}
	var name []byte
	name = v.Link.Src().AppendTo(name)
	name = v.Link.Dst().AppendTo(append(name, ' '))
	place := uint64(0)
	switch {
	case v.IB != nil:
		f.payload = v.Link.Start() + v.IB.PayloadStart()
		name = append(name, 0, byte(v.IB.OpCode), byte(v.IB.DestQP>>16), byte(v.IB.DestQP>>8), byte(v.IB.DestQP))
		name = append(name, byte(v.IB.PSN>>16), byte(v.IB.PSN>>8), byte(v.IB.PSN))
		f.end = v.Link.Start() + v.IB.PayloadEnd()
	case v.Link.TCPData() > 0:
		f.payload = v.Link.TCPData()
		name = append(name, 1, byte(v.Link.SrcPort>>8), byte(v.Link.SrcPort), byte(v.Link.DstPort>>8), byte(v.Link.DstPort))
		f.end = v.Link.End()
		place = uint64(v.Link.TCP.Seq)
	default:
		return f
	}
	f.payload = min(f.payload, len(data))
	f.end = max(f.payload, min(f.end, len(data)))
	if f.payload == f.end {
		return f
	}
	payload := data[f.payload:f.end]
	f.hash = sha256.Sum256(payload)
	sum := sha256.New()
	sum.Write(name)
	sum.Write([]byte{byte(place >> 24), byte(place >> 16), byte(place >> 8), byte(place)})
	sum.Write(f.hash[:])
	key := groupKey(sum.Sum(nil))
	if f.group = p.groups[key]; f.group == nil {
		f.group = &group{name: key, stream: p.key.stream("payload", name), at: place}
		p.groups[key] = f.group
	}
	if v.IB != nil {
		switch v.IB.OpCode.Kind() {
		case rocev2.KindWrite, rocev2.KindReadResponse:
			f.group.carries = true
		}
	}
	return f
}
