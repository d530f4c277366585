package iwarp

import "github.com/rdmacap/rdmacap/field"

// Tables lists the tables of DDP and RDMAP: the two control bytes that begin
// every segment, the rest of a tagged and of an untagged DDP header, and the
// headers that are the payload of some messages. Those of MPA are MPATables.
// They are read-only.
func Tables() []*field.Table {
	return []*field.Table{&ddpTable, &rdmapTable, &taggedTable, &untaggedTable, &readRequestTable,
		&terminateTable, &segmentLengthTable, &immediateTable, &atomicRequestTable, &atomicResponseTable}
}

var ddpTable = field.Table{Key: "ddp", Name: "DDP Control", Ref: "RFC 5041 section 4.1", Fields: []field.Field{
	{Name: "T", Key: "t", Bit: 0, Width: 1, Format: field.Flag, Enum: nameTagged, Doc: "the segment is tagged: the sender names the buffer"},
	{Name: "L", Key: "l", Bit: 1, Width: 1, Format: field.Flag, Doc: "last segment of the message"},
	{Name: "Rsvd", Key: "rsvd", Bit: 2, Width: 4, Format: field.Hex, Doc: "0"},
	{Name: "DV", Key: "dv", Bit: 6, Width: 2, Doc: "version of DDP, 1"},
}}

var rdmapTable = field.Table{Key: "rdmap", Name: "RDMAP Control", Ref: "RFC 5040 section 4.1, RFC 7306 section 4.1", Fields: []field.Field{
	{Name: "RV", Key: "rv", Bit: 0, Width: 2, Doc: "version of RDMAP, 1"},
	{Name: "Rsv", Key: "rsv", Bit: 2, Width: 2, Format: field.Hex, Doc: "0"},
	{Name: "OpCode", Key: "opcode", Bit: 4, Width: 4, Format: field.Hex, Enum: nameOpCode, Doc: "the message, and so model and queue"},
}}

var taggedTable = field.Table{Key: "ddp.tagged", Name: "Tagged Buffer Model", Ref: "RFC 5041 section 4.2", Fields: []field.Field{
	{Name: "STag", Key: "stag", Bit: 0, Width: 32, Format: field.Hex, Doc: "steering tag: the receiver's buffer"},
	{Name: "TO", Key: "to", Bit: 32, Width: 64, Format: field.Hex, Doc: "tagged offset: where in that buffer the payload goes"},
}}

var untaggedTable = field.Table{Key: "ddp.untagged", Name: "Untagged Buffer Model", Ref: "RFC 5041 section 4.3, RFC 5040 section 4.1", Fields: []field.Field{
	{Name: "Invalidate STag", Key: "invalidate", Bit: 0, Width: 32, Format: field.Hex, Doc: "with Invalidate: the STag that the receiver is to invalidate; else 0"},
	{Name: "QN", Key: "qn", Bit: 32, Width: 32, Enum: nameQueue, Doc: "queue number"},
	{Name: "MSN", Key: "msn", Bit: 64, Width: 32, Doc: "message sequence number in the queue and direction, from 1"},
	{Name: "MO", Key: "mo", Bit: 96, Width: 32, Doc: "message offset: bytes of the message before this payload"},
}}

var readRequestTable = field.Table{Key: "rdmap.read", Name: "RDMA Read Request Header", Ref: "RFC 5040 section 4.4", Fields: []field.Field{
	{Name: "Data Sink STag", Key: "sinkstag", Bit: 0, Width: 32, Format: field.Hex, Doc: "the requester's buffer, which the Read Response names"},
	{Name: "Data Sink Tagged Offset", Key: "sinkto", Bit: 32, Width: 64, Format: field.Hex, Doc: "where in that buffer the data goes"},
	{Name: "RDMA Read Message Size", Key: "size", Bit: 96, Width: 32, Doc: "bytes requested"},
	{Name: "Data Source STag", Key: "srcstag", Bit: 128, Width: 32, Format: field.Hex, Doc: "the responder's buffer, as it was advertised"},
	{Name: "Data Source Tagged Offset", Key: "srcto", Bit: 160, Width: 64, Format: field.Hex, Doc: "where in that buffer the data is"},
}}

var terminateTable = field.Table{Key: "rdmap.term", Name: "Terminate Control", Ref: "RFC 5040 section 4.8", Fields: []field.Field{
	{Name: "Layer", Key: "layer", Bit: 0, Width: 4, Format: field.Hex, Enum: nameLayer, Doc: "who found the error"},
	{Name: "EType", Key: "etype", Bit: 4, Width: 4, Format: field.Hex, Doc: "error type, numbered by the layer"},
	{Name: "Error Code", Key: "ecode", Bit: 8, Width: 8, Format: field.Hex, Doc: "numbered by layer and error type"},
	{Name: "M", Key: "m", Bit: 16, Width: 1, Format: field.Flag, Doc: "the DDP Segment Length follows"},
	{Name: "D", Key: "d", Bit: 17, Width: 1, Format: field.Flag, Doc: "the terminated DDP header follows"},
	{Name: "R", Key: "r", Bit: 18, Width: 1, Format: field.Flag, Doc: "the header of the terminated RDMA Read Request follows"},
	{Name: "Reserved", Key: "reserved", Bit: 19, Width: 13, Format: field.Hex, Doc: "0"},
}}

var segmentLengthTable = field.Table{Key: "rdmap.term.length", Name: "DDP Segment Length", Ref: "RFC 5040 section 4.8", Fields: []field.Field{
	{Name: "DDP Segment Length", Key: "ddp", Bit: 0, Width: 16, Doc: "bytes of the terminated segment; Linux siw leaves out its header"},
}}

var immediateTable = field.Table{Key: "rdmap.immediate", Name: "Immediate Data", Ref: "RFC 7306 section 6.2", Fields: []field.Field{
	{Name: "Immediate Data", Key: "data", Bit: 0, Width: 64, Format: field.Hex, Doc: "passed to the receiver's consumer as it is"},
}}

var atomicRequestTable = field.Table{Key: "rdmap.atomicreq", Name: "Atomic Operation Request Header", Ref: "RFC 7306 section 5.2.1", Fields: []field.Field{
	{Name: "Reserved", Key: "reserved", Bit: 0, Width: 28, Format: field.Hex, Doc: "0"},
	{Name: "AOpCode", Key: "aopcode", Bit: 28, Width: 4, Format: field.Hex, Enum: nameAtomicOp, Doc: "the operation"},
	{Name: "Request Identifier", Key: "id", Bit: 32, Width: 32, Doc: "the response repeats it"},
	{Name: "Remote STag", Key: "stag", Bit: 64, Width: 32, Format: field.Hex, Doc: "the responder's buffer"},
	{Name: "Remote Tagged Offset", Key: "to", Bit: 96, Width: 64, Format: field.Hex, Doc: "where in that buffer the 64 bits are"},
	{Name: "Add or Swap Data", Key: "data", Bit: 160, Width: 64, Format: field.Hex, Doc: "what FetchAdd adds or CmpSwap stores"},
	{Name: "Add or Swap Mask", Key: "mask", Bit: 224, Width: 64, Format: field.Hex, Doc: "FetchAdd: where carries stop; CmpSwap: the bits stored"},
	{Name: "Compare Data", Key: "compare", Bit: 288, Width: 64, Format: field.Hex, Doc: "what CmpSwap compares with"},
	{Name: "Compare Mask", Key: "comparemask", Bit: 352, Width: 64, Format: field.Hex, Doc: "the bits that CmpSwap compares"},
}}

var atomicResponseTable = field.Table{Key: "rdmap.atomicresp", Name: "Atomic Operation Response Header", Ref: "RFC 7306 section 5.2.2", Fields: []field.Field{
	{Name: "Original Request Identifier", Key: "id", Bit: 0, Width: 32, Doc: "that of the request"},
	{Name: "Original Remote Data Value", Key: "original", Bit: 32, Width: 64, Format: field.Hex, Doc: "the value before the operation"},
}}

func nameOpCode(v uint64) string   { return OpCode(v).String() }
func nameAtomicOp(v uint64) string { return AtomicOp(v).String() }
func nameLayer(v uint64) string    { return layerName(uint8(v)) }
func nameTagged(v uint64) string   { return pick([]string{"untagged", "tagged"}, int(v)) }

// nameQueue is what the queue is for. A number beyond 3 may be any.
func nameQueue(v uint64) string {
	if v > QNAtomicResponse {
		return ""
	}
	return pick([]string{"Sends", "RDMA Read Requests and Atomic Requests", "Terminate", "Atomic Responses"}, int(v))
}

// littleTerminate is terminateTable as a little-endian compiler lays out its
// bit-fields: within each byte from the least significant bit up. The reserved
// bits are then in two runs.
func littleTerminate() *field.Table {
	t := terminateTable
	bit := func(key string, at int) field.Field {
		f := *terminateTable.Lookup(key)
		f.Bit = at
		return f
	}
	reserved := bit("reserved", 16)
	reserved.Width = 5
	more := bit("reserved", 24)
	more.Width = 8
	t.Fields = []field.Field{bit("layer", 4), bit("etype", 0), bit("ecode", 8), bit("m", 23), bit("d", 22), bit("r", 21), reserved, more}
	return &t
}
