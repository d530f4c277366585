package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

// mostTried is how many wrong ICRCs of an end are tried by all rules of how one may be computed otherwise: what
// does so does it from the first on.
const mostTried = 8

// wrongSums are the wrong ICRCs of what an end sends.
type wrongSums struct {
	// rule is the one by which they are right, of kind ICRCDamaged while none is known.
	rule  rocev2.ICRCRule
	tried int
	// byRule says that the newest one is right by it; n is how many are.
	byRule bool
	n      int64
	// first and last are those of them, opcode their OpCode if same.
	first, last flow.Moment
	opcode      rocev2.OpCode
	mixed       bool // they have several OpCodes
	// psn is the PSN of the newest, and dropped says that one of them was retransmitted: its receiver
	// dropped it.
	psns    [mostWrong]uint32
	dropped bool
	// addresses are the addresses that the end's last REQ names: in its IP CM header, and as GIDs.
	addresses [2][2]link.Addr
}

// wrongSum takes a packet with a wrong ICRC, and reports whether that is right by a rule by which one may be
// computed otherwise: then nothing damaged it.
func (w *wire) wrongSum(v *dissect.FrameView) bool {
	if w.sums == nil {
		w.sums = new([2]wrongSums)
	}
	from := v.Verdict.From & 1
	s := &w.sums[from]
	s.byRule = false
	s.named(v)
	switch {
	case s.rule.Kind != rocev2.ICRCDamaged:
		s.byRule = s.rule.Explains(v.Frame.Data, v.Link)
	case s.tried < mostTried:
		s.tried++
		addresses := w.sums[0].addresses // the REQ is the client's
		if from == 1 {
			for i := range addresses {
				addresses[i][0], addresses[i][1] = addresses[i][1], addresses[i][0]
			}
		}
		if rule, ok := rocev2.FindICRCRule(v.Frame.Data, v.Link, addresses[:]...); ok {
			s.rule, s.byRule = rule, true
		}
	}
	if s.byRule {
		s.count(v)
	}
	return s.byRule
}

// count counts a packet whose ICRC is right by the rule.
func (s *wrongSums) count(v *dissect.FrameView) {
	op, psn := v.IB.OpCode, v.IB.PSN
	again := v.Verdict.Note == flow.Retransmission || v.Verdict.Note == flow.LostOnWire
	for i := range min(s.n, mostWrong) {
		again = again || s.psns[i] == psn && op.Transport() != rocev2.TransportUD
	}
	s.psns[s.n%mostWrong] = psn
	if s.n++; s.n == 1 {
		s.first = rules.Moment(v)
		s.opcode = op
	} else {
		s.mixed = s.mixed || op != s.opcode
		s.dropped = s.dropped || again
	}
	s.last = rules.Moment(v)
}

// named notes the addresses that a REQ names.
func (s *wrongSums) named(v *dissect.FrameView) {
	if !rocev2.IsCM(v.IB.DestQP, v.IB.QKey()) {
		return
	}
	var m rocev2.CM
	mad := v.IB.Payload()
	if !m.Decode(mad) || m.Kind != rocev2.CMReq || m.Fault.Bad() {
		return
	}
	s.addresses[0] = [2]link.Addr{m.IP.Src, m.IP.Dst}
	for i, key := range [...]string{"primary_localgid", "primary_remotegid"} {
		if at, n := m.Kind.Bytes(key); n > 0 && at+n <= len(mad) {
			s.addresses[1][i] = link.AddrIPv6(mad[at : at+n])
		}
	}
}
