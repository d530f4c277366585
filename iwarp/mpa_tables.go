package iwarp

import "github.com/rdmacap/rdmacap/field"

// MPATables lists the tables of MPA: Request and Reply frames, what the enhanced
// setup puts in their private data, and the parts of an FPDU that are MPA's
// own. They are read-only.
func MPATables() []*field.Table {
	return []*field.Table{&startTable, &enhancedTable, &fpduTable, &fpduCRCTable, &fpduMarkerTable}
}

// startTable is an MPA Request or Reply frame up to its private data. In
// revision 1, S is the first of five reserved bits.
var startTable = field.Table{
	Key: "mpa", Name: "MPA Request/Reply", Title: "MPA Request/Reply Frame", Ref: "RFC 5044 section 7.1.1, RFC 6581 section 6",
	Fields: []field.Field{
		{Name: "Key", Key: "key", Bit: 0, Width: 128, Format: field.ASCII, Doc: `"MPA ID Req Frame" or "MPA ID Rep Frame"`},
		{Name: "M", Key: "m", Bit: 128, Width: 1, Format: field.Flag, Doc: "the sender wants markers in what it receives"},
		{Name: "C", Key: "c", Bit: 129, Width: 1, Format: field.Flag, Doc: "the sender wants CRCs"},
		{Name: "R", Key: "r", Bit: 130, Width: 1, Format: field.Flag, Doc: "in a Reply: the connection is rejected"},
		{Name: "S", Key: "s", Bit: 131, Width: 1, Format: field.Flag, Doc: "the private data begins with IRD and ORD; from revision 2 on"},
		{Name: "Res", Key: "res", Bit: 132, Width: 4, Format: field.Hex, Doc: "0, not checked by the receiver"},
		{Name: "Rev", Key: "rev", Bit: 136, Width: 8, Doc: "revision of MPA: 1, or 2 with RFC 6581"},
		{Name: "PD_Length", Key: "pd_length", Bit: 144, Width: 16, Doc: "bytes of private data, at most 512"},
	},
}

// enhancedTable is the front of the private data of a frame with S.
var enhancedTable = field.Table{
	Key: "mpa.enhanced", Name: "Enhanced Data", Title: "Enhanced RDMA Connection Establishment Data", Ref: "RFC 6581 section 9",
	Fields: []field.Field{
		{Name: "A", Key: "a", Bit: 0, Width: 1, Format: field.Flag, Doc: "peer-to-peer: the initiator's first message makes the responder ready (RTR)"},
		{Name: "B", Key: "b", Bit: 1, Width: 1, Format: field.Flag, Doc: "RTR by a zero-length Send"},
		{Name: "IRD", Key: "ird", Bit: 2, Width: 14, Enum: nameDepth, Doc: "inbound RDMA Read queue depth: RDMA Reads that the sender accepts at a time"},
		{Name: "C", Key: "c", Bit: 16, Width: 1, Format: field.Flag, Doc: "RTR by a zero-length RDMA Write"},
		{Name: "D", Key: "d", Bit: 17, Width: 1, Format: field.Flag, Doc: "RTR by a zero-length RDMA Read"},
		{Name: "ORD", Key: "ord", Bit: 18, Width: 14, Enum: nameDepth, Doc: "outbound RDMA Read queue depth: RDMA Reads that the sender issues at a time"},
	},
}

// DepthBytes is where IRD or ORD stands in a frame with the enhanced setup, by the
// field's key in its table ("ird"): the offset of its first byte, and how many bytes
// have bits of it.
func DepthBytes(key string) (offset, n int) {
	f := enhancedTable.Lookup(key)
	if f == nil {
		return 0, 0
	}
	return StartSize + f.Start(), f.End() - f.Start()
}

// nameDepth names the one IRD or ORD that is no number of RDMA Reads.
func nameDepth(v uint64) string {
	if v == depthOpen {
		return "not negotiated"
	}
	return ""
}
