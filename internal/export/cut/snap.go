package cut

import (
	"github.com/rdmacap/rdmacap/capture/extract"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A snap knows where in frames file data begin, after which there is no header any more.
type snap struct {
	// long are the frames of RDMA Writes and Reads that moved whole messages, headers and all.
	long extract.Set
	// lengths are how many bytes of a frame come before its file data.
	lengths extract.Lengths
	places  []flow.Place
}

// Access implements dissect.AccessSink.
func (s *snap) Access(a *dissect.Access) {
	r := a.Region
	if r == nil || r.Purpose == rpcrdma.ForWrite || r.Purpose == rpcrdma.ForRead && r.Position != 0 {
		return
	}
	for _, f := range a.Frames {
		s.long.Add(f.File, f.Number)
	}
}

// rpc notes the data that stand inline in the messages of an RPC.
func (s *snap) rpc(r *dissect.RPC) {
	if r.Connection.IWARP() {
		return // other FPDUs may stand after them
	}
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m != nil && m.Transfer != dissect.Long {
			s.message(m)
		}
	}
}

// message is rpc for one of them. Where data go on in another frame, nothing else is behind them in
// this one; else they have to be the end of the message.
func (s *snap) message(m *dissect.Message) {
	b := m.Body()
	if b == nil {
		return
	}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Item || !e.Eligible || e.Chunk >= 0 {
			continue
		}
		at := m.Header.Length + b.Start + int(e.Offset)
		s.places = m.Place(s.places[:0], at, int(e.Length))
		atEnd := at+(int(e.Length)+3)&^3 >= m.Length
		for i, p := range s.places {
			if i < len(s.places)-1 || atEnd {
				s.lengths.Set(p.Ref.File, p.Ref.Number, p.Offset)
			}
		}
	}
}

// frame notes where a frame that is copied has data, first whether it is the first that carries
// what it does.
func (s *snap) frame(v *dissect.FrameView, first bool) {
	ref := v.Frame.Ref()
	if s.long.Has(ref.File, ref.Number) {
		return
	}
	if v.IB != nil {
		if at := s.packet(v, first); at > 0 {
			s.lengths.Set(ref.File, ref.Number, at)
		}
		return
	}
	n := len(v.Verdict.Units)
	if n == 0 {
		return
	}
	u := &v.Verdict.Units[n-1]
	raw := len(u.Raw())
	if u.IsStart || u.At < 0 || !u.PDU.Tagged || u.FPDU.FirstMarker >= 0 || u.At+raw < v.PayloadLength() {
		return
	}
	const length = 2 // of ULPDU_Length
	s.lengths.Set(ref.File, ref.Number, v.Link.TCPData()+u.At+length+iwarp.TaggedSize)
}

// packet is how many bytes of a packet come before data, 0 if it has none.
func (s *snap) packet(v *dissect.FrameView, first bool) int {
	if v.IB.PayloadLength() == 0 {
		return 0
	}
	at := v.Link.Start() + v.IB.PayloadStart()
	switch v.IB.OpCode.Kind() {
	case rocev2.KindWrite, rocev2.KindReadResponse:
		return at
	case rocev2.KindSend:
		if !first && v.IB.DestQP > managementQP {
			return at // the first one has the headers
		}
	}
	return 0
}
