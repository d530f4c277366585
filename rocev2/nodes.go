package rocev2

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// Nodes builds the packet's field tree: BTH, extended headers, payload (its
// length only), pad and ICRC. At is the offset of the BTH in the buffer that is
// shown and is added to all offsets. A fault that Decode found is on the node of
// the header it lies in.
func (p *Packet) Nodes(at int) []field.Node {
	nodes := []field.Node{p.headerNode(&bthTable, 0, p.bthSummary())}
	if len(p.Bytes) >= BTHSize {
		info := &opcodes[p.OpCode]
		for h, table := range extTables {
			offset := int(info.at[h])
			if offset == 0 || offset > len(p.Bytes) {
				continue
			}
			nodes = append(nodes, p.headerNode(table, offset, p.extSummary(1<<h)))
		}
		nodes = p.appendTrailer(nodes)
	}
	if p.Faulty() {
		markFault(nodes, p.Fault())
	}
	for i := range nodes {
		nodes[i].Shift(at)
	}
	return nodes
}

func (p *Packet) headerNode(t *field.Table, offset int, summary string) field.Node {
	n := t.Node(p.Bytes, offset)
	if n.Fault == "" {
		n.Value = summary
	}
	return n
}

// appendTrailer adds payload, pad and ICRC as far as they were captured.
func (p *Packet) appendTrailer(nodes []field.Node) []field.Node {
	captured := p.Payload()
	if n := p.PayloadLength(); n > 0 {
		value := byteCount(n)
		if len(captured) < n {
			value += ", " + strconv.Itoa(len(captured)) + " captured"
		}
		start := min(p.PayloadStart(), len(p.Bytes))
		name := "Payload"
		if p.OpCode == OpCNP {
			name = "Reserved"
		}
		nodes = append(nodes, field.Node{Name: name, Value: value, Start: start, End: start + len(captured)})
	}
	// Where the pad count cannot be right, nothing says what lies before the ICRC.
	icrc := int(p.length) - ICRCSize
	if p.PadCnt() > 0 && p.PayloadEnd()+int(p.PadCnt()) == icrc && p.PayloadEnd() < len(p.Bytes) {
		value := byteCount(int(p.PadCnt()))
		nodes = append(nodes, field.Node{Name: "Padding", Value: value, Start: p.PayloadEnd(), End: min(icrc, len(p.Bytes))})
	}
	if icrc >= p.PayloadEnd() && int(p.length) <= len(p.Bytes) {
		n := icrcTable.Node(p.Bytes, icrc)
		n.Value = n.Children[0].Value
		nodes = append(nodes, n)
	}
	return nodes
}

// markFault puts a fault on the header that was cut short or, where none was,
// on the last node that begins at or before the byte at fault.
func markFault(nodes []field.Node, f field.Fault) {
	at := 0
	for i := range nodes {
		if nodes[i].Start <= f.Offset {
			at = i
		}
		if nodes[i].Fault != "" {
			at = i
			break
		}
	}
	nodes[at].Fault = f.Reason
}

// byteCount is "1 byte", "4096 bytes".
func byteCount(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.Itoa(n) + " bytes"
}

// hexBits is v as 0x and all digits of so many bits.
func hexBits(v uint64, bits int) string {
	return string(field.AppendHex(nil, v, (bits+3)/4))
}

func (p *Packet) bthSummary() string {
	return p.OpCode.String() + ", DestQP " + hexBits(uint64(p.DestQP), 24) + ", PSN " + strconv.Itoa(int(p.PSN))
}

// extSummary is one line about an extended header that was captured whole.
func (p *Packet) extSummary(h ExtSet) string {
	switch h {
	case ExtRDETH:
		return "EE-Context " + hexBits(uint64(p.EEContext()), 24)
	case ExtDETH:
		return "SrcQP " + hexBits(uint64(p.SrcQP()), 24) + ", Q_Key " + hexBits(uint64(p.QKey()), 32)
	case ExtXRCETH:
		return "XRCSRQ " + hexBits(uint64(p.SRQ()), 24)
	case ExtFETH:
		return "SEL " + strconv.Itoa(int(p.Selectivity())) + ", PLT " + strconv.Itoa(int(p.Placement()))
	case ExtRETH:
		return byteCount(int(p.DMALen())) + " at VA " + hexBits(p.VA(), 64) + ", R_Key " + hexBits(uint64(p.RKey()), 32)
	case ExtAtomicETH:
		return "VA " + hexBits(p.VA(), 64) + ", R_Key " + hexBits(uint64(p.RKey()), 32)
	case ExtAETH:
		return p.Syndrome().String() + ", MSN " + strconv.Itoa(int(p.MSN()))
	case ExtAtomicAckETH:
		return hexBits(p.Original(), 64)
	case ExtImmDt:
		return hexBits(uint64(p.Imm()), 32)
	case ExtIETH:
		return "invalidate R_Key " + hexBits(uint64(p.InvRKey()), 32)
	}
	return ""
}
