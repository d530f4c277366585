package rpcrdma

import "github.com/rdmacap/rdmacap/field"

const rfc8166 = "RFC 8166, section "

// Tables are the parts of a transport header, in the order in which they may
// appear, those of version 2 last. Their fields begin at bit 0 of the part, not
// of the header.
func Tables() []*field.Table {
	return []*field.Table{
		&fixedTable, &msgpTable, &entryTable, &readSegmentTable,
		&countTable, &segmentTable, &errorTable, &versionsTable,
		&fixed2Table, &directionTable, &errorDirectionTable, &error2Table, &cantReplyTable,
		&optionalTable, &specTable, &xcharvalTable, &subsetTable, &wordTable, &pendclrTable,
		&rbsizTable, &rqreminvTable, &brsTable,
	}
}

// fixedTable is the words of every version.
var fixedTable = field.Table{
	Key: "rpcrdma", Name: "RPC-over-RDMA", Title: "RPC-over-RDMA Version 1", Ref: rfc8166 + "4.2",
	Fields: []field.Field{
		{Name: "rdma_xid", Key: "xid", Bit: 0, Width: 32, Format: field.Hex, Doc: "transaction, the same as the RPC message's XID"},
		{Name: "rdma_vers", Key: "vers", Bit: 32, Width: 32, Doc: "version of RPC-over-RDMA"},
		{Name: "rdma_credit", Key: "credit", Bit: 64, Width: 32, Doc: "credits requested by a call, granted by a reply"},
		{Name: "rdma_proc", Key: "proc", Bit: 96, Width: 32, Enum: procName, Doc: "what the header is for"},
	},
}

// msgpTable is the two words of RDMA_MSGP before its lists.
var msgpTable = field.Table{
	Key: "rpcrdma", Name: "RDMA_MSGP", Title: "Padded message", Ref: rfc8166 + "4.6.1",
	Fields: []field.Field{
		{Name: "rdma_align", Key: "align", Bit: 0, Width: 32, Doc: "alignment of the padding, bytes"},
		{Name: "rdma_thresh", Key: "thresh", Bit: 32, Width: 32, Doc: "length from which data is padded, bytes"},
	},
}

// entryTable is the word before an optional item: a list's next entry, or the
// Reply chunk.
var entryTable = field.Table{
	Key: "rpcrdma.entry", Name: "optional", Title: "Optional word", Ref: rfc8166 + "4.1.2",
	Fields: []field.Field{
		{Name: "entry follows", Key: "follows", Bit: 0, Width: 32, Enum: presentName, Doc: "1 if the item is here, 0 at a list's end"},
	},
}

// readSegmentTable is one entry of the Read list.
var readSegmentTable = field.Table{
	Key: "rpcrdma.read", Name: "Read segment", Title: "Read segment", Ref: rfc8166 + "3.4.5",
	Fields: []field.Field{
		{Name: "rdma_position", Key: "position", Bit: 0, Width: 32, Doc: "byte offset of the chunk in the unreduced RPC message"},
		{Name: "rdma_handle", Key: "handle", Bit: 32, Width: 32, Format: field.Hex, Doc: "R_key or STag"},
		{Name: "rdma_length", Key: "length", Bit: 64, Width: 32, Doc: "bytes"},
		{Name: "rdma_offset", Key: "offset", Bit: 96, Width: 64, Format: field.Hex, Doc: "virtual address or tagged offset"},
	},
}

// countTable is the word before the segments of a Write or Reply chunk.
var countTable = field.Table{
	Key: "rpcrdma.chunk", Name: "segment count", Title: "Segment count", Ref: rfc8166 + "4.1.2",
	Fields: []field.Field{
		{Name: "segment count", Key: "count", Bit: 0, Width: 32, Doc: "segments of the chunk, 0 for an empty one"},
	},
}

// segmentTable is one segment of a Write or Reply chunk.
var segmentTable = field.Table{
	Key: "rpcrdma.segment", Name: "Segment", Title: "Segment", Ref: rfc8166 + "3.4.1",
	Fields: []field.Field{
		{Name: "rdma_handle", Key: "handle", Bit: 0, Width: 32, Format: field.Hex, Doc: "R_key or STag"},
		{Name: "rdma_length", Key: "length", Bit: 32, Width: 32, Doc: "bytes: offered in a call, written in a reply"},
		{Name: "rdma_offset", Key: "offset", Bit: 64, Width: 64, Format: field.Hex, Doc: "virtual address or tagged offset"},
	},
}

// errorTable is the word that RDMA_ERROR begins with.
var errorTable = field.Table{
	Key: "rpcrdma.error", Name: "RDMA_ERROR", Title: "Error", Ref: rfc8166 + "4.5",
	Fields: []field.Field{
		{Name: "rdma_err", Key: "code", Bit: 0, Width: 32, Enum: errorName, Doc: "what the responder could not use"},
	},
}

// versionsTable is the two words of ERR_VERS.
var versionsTable = field.Table{
	Key: "rpcrdma.error", Name: "ERR_VERS", Title: "Supported versions", Ref: rfc8166 + "4.5.1",
	Fields: []field.Field{
		{Name: "rdma_vers_low", Key: "vers_low", Bit: 0, Width: 32, Doc: "lowest version that the responder speaks"},
		{Name: "rdma_vers_high", Key: "vers_high", Bit: 32, Width: 32, Doc: "highest version that the responder speaks"},
	},
}

func presentName(v uint64) string {
	switch v {
	case 0:
		return "no"
	case 1:
		return "yes"
	}
	return ""
}
