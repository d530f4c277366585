package layers

import (
	"bytes"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/rocev2"
)

// differs says in what the layers of a packet are not what rocev2 has, "" if in nothing.
func differs(p gopacket.Packet, want *rocev2.Packet, icrc uint32) string {
	bth, ok := p.Layer(LayerTypeBTH).(*BTH)
	if !ok {
		return "no BTH"
	}
	if bth.OpCode != want.OpCode || bth.Solicited != want.Solicited() || bth.MigReq != want.MigReq() || bth.AckReq != want.AckReq() ||
		bth.FECN != want.FECN() || bth.BECN != want.BECN() || bth.PadCnt != want.PadCnt() || bth.PKey != want.PKey() ||
		bth.DestQP != want.DestQP || bth.PSN != want.PSN || bth.ICRC != icrc || bth.Fault != want.Fault() {
		return "another BTH"
	}
	if l, ok := p.Layer(LayerTypeRDETH).(*RDETH); ok != (want.RDETH() != 0) || ok && l.EEContext != want.EEContext() {
		return "another RDETH"
	}
	if l, ok := p.Layer(LayerTypeXRCETH).(*XRCETH); ok != (want.XRCETH() != 0) || ok && l.SRQ != want.SRQ() {
		return "another XRCETH"
	}
	if l, ok := p.Layer(LayerTypeFETH).(*FETH); ok != (want.FETH() != 0) ||
		ok && (l.Selectivity != want.Selectivity() || l.Placement != want.Placement()) {
		return "another FETH"
	}
	if l, ok := p.Layer(LayerTypeDETH).(*DETH); ok != (want.DETH() != 0) || ok && (l.QKey != want.QKey() || l.SrcQP != want.SrcQP()) {
		return "another DETH"
	}
	if l, ok := p.Layer(LayerTypeRETH).(*RETH); ok != (want.RETH() != 0) ||
		ok && (l.VA != want.VA() || l.RKey != want.RKey() || l.DMALen != want.DMALen()) {
		return "another RETH"
	}
	if l, ok := p.Layer(LayerTypeAtomicETH).(*AtomicETH); ok != (want.Atomic() != 0) ||
		ok && (l.VA != want.VA() || l.RKey != want.RKey() || l.Swap != want.Swap() || l.Compare != want.Compare()) {
		return "another AtomicETH"
	}
	if l, ok := p.Layer(LayerTypeAETH).(*AETH); ok != (want.AETH() != 0) || ok && (l.Syndrome != want.Syndrome() || l.MSN != want.MSN()) {
		return "another AETH"
	}
	if l, ok := p.Layer(LayerTypeAtomicAckETH).(*AtomicAckETH); ok != (want.AtomicAck() != 0) || ok && l.Original != want.Original() {
		return "another AtomicAckETH"
	}
	if l, ok := p.Layer(LayerTypeImmDt).(*ImmDt); ok != (want.ImmDt() != 0) || ok && l.Data != want.Imm() {
		return "another ImmDt"
	}
	if l, ok := p.Layer(LayerTypeIETH).(*IETH); ok != (want.IETH() != 0) || ok && l.RKey != want.InvRKey() {
		return "another IETH"
	}
	return differsPayload(p, want)
}

// differsPayload holds what follows the headers, CM or payload, against rocev2's.
func differsPayload(p gopacket.Packet, want *rocev2.Packet) string {
	payload := want.Payload()
	l, ok := p.Layer(LayerTypeCM).(*CM)
	var cm rocev2.CM
	isCM := want.DETH() != 0 && rocev2.IsCM(want.DestQP, want.QKey()) && cm.Decode(payload)
	switch {
	case ok != isCM:
		return "a CM too many or too few"
	case isCM:
		if l.Kind != cm.Kind || l.QPN != cm.QPN || l.TransactionID != cm.TransactionID || l.IP != cm.IP ||
			!bytes.Equal(append(bytes.Clone(l.Contents), l.Payload...), payload) || !bytes.Equal(l.Payload, cm.PrivateData) {
			return "another CM"
		}
		return ""
	}
	var got []byte
	if l := p.Layer(gopacket.LayerTypePayload); l != nil {
		got = l.LayerContents()
	}
	if !bytes.Equal(got, payload) {
		return "another payload"
	}
	return ""
}
