package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// streams is what shows whether the CRCs of all that the ends of an iWARP connection sent
// were judged; by the end that sent.
type streams struct {
	started [2]bool // its start frame is in the capture
	spoke   [2]bool // an FPDU of it is
	cut     [2]bool // the snap length cut data of it
	crc     bool    // a start frame asks for CRCs
}

// segment takes a frame of TCP.
func (s *streams) segment(v *dissect.FrameView) {
	from := v.Verdict.From & 1
	if v.Link.TCPData() > 0 && v.Link.End() > len(v.Frame.Data) {
		s.cut[from] = true
	}
	if s.spoke[0] && s.spoke[1] {
		return
	}
	for i := range v.Verdict.Units {
		u, end := &v.Verdict.Units[i], from
		if u.Last != rules.Ref(v) {
			end ^= 1 // it waited for this frame of its peer
		}
		if u.IsStart {
			s.started[end] = true
			s.crc = s.crc || u.Start.CRC
		} else {
			s.spoke[end] = true
		}
	}
}

// intact reports whether all FPDUs of an end so far are in the capture, from the first one on, and
// have correct CRCs, which the ends agreed on. Of data that was retransmitted the other end may have
// taken another copy.
func (s *streams) intact(c *rules.Conn, end flow.End) bool {
	return s.started[0] && s.started[1] && s.spoke[end] && s.crc && c.BadCRC == 0 && c.Retransmissions == 0 && !c.Unread && !s.cut[end] &&
		!c.LostAnyOf(end, c.First) && !c.Disordered()
}
