package rpcrdma

import "github.com/rdmacap/rdmacap/field"

const (
	version2 = "draft-cel-nfsv4-rpcrdma-version-two-02, section "
	xcharext = "draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section "
)

// fixed2Table is fixedTable with the names that version 2 gives to values.
var fixed2Table = field.Table{
	Key: "rpcrdma", Name: "RPC-over-RDMA", Title: "RPC-over-RDMA Version 2", Ref: version2 + "5.2",
	Fields: []field.Field{
		{Name: "rdma_xid", Key: "xid", Bit: 0, Width: 32, Format: field.Hex, Doc: "transaction, the same as the RPC message's XID"},
		{Name: "rdma_vers", Key: "vers", Bit: 32, Width: 32, Doc: "version of RPC-over-RDMA"},
		{Name: "rdma_credit", Key: "credit", Bit: 64, Width: 32, Doc: "credits requested or granted, by the direction"},
		{Name: "rdma_proc", Key: "proc", Bit: 96, Width: 32, Enum: proc2Name, Doc: "what the header is for"},
	},
}

// directionTable is the two words before the lists of an RDMA2_MSG or
// RDMA2_NOMSG.
var directionTable = field.Table{
	Key: "rpcrdma", Name: "rpcrdma2_chunk_lists", Title: "Direction and handle", Ref: version2 + "5.2",
	Fields: []field.Field{
		{Name: "rdma_direction", Key: "direction", Bit: 0, Width: 32, Enum: directionName, Doc: "msg_type of the RPC message"},
		{Name: "rdma_inv_handle", Key: "inv_handle", Bit: 32, Width: 32, Format: field.Hex, Doc: "handle that the reply may invalidate, or 0"},
	},
}

// errorDirectionTable is the word that may stand before rdma_err against the XDR.
var errorDirectionTable = field.Table{
	Key: "rpcrdma.error", Name: "direction", Title: "Direction", Ref: version2 + "4.2",
	Fields: []field.Field{
		{Name: "direction", Key: "direction", Bit: 0, Width: 32, Enum: directionName, Doc: "only in the text; the XDR of section 5.2 has none"},
	},
}

// error2Table is rdma_err.
var error2Table = field.Table{
	Key: "rpcrdma.error", Name: "RDMA2_ERROR", Title: "Error", Ref: version2 + "5.2.4",
	Fields: []field.Field{
		{Name: "rdma_err", Key: "code", Bit: 0, Width: 32, Enum: error2Name, Doc: "what the responder could not do"},
	},
}

// cantReplyTable is the three words of RDMA2_ERR_CANT_REPLY.
var cantReplyTable = field.Table{
	Key: "rpcrdma.error", Name: "RDMA2_ERR_CANT_REPLY", Title: "What the reply lacks", Ref: version2 + "5.2.4",
	Fields: []field.Field{
		{Name: "rdma_processed", Key: "processed", Bit: 0, Width: 32, Enum: trueName, Doc: "the upper layer has processed the request"},
		{Name: "rdma_segment_index", Key: "segment_index", Bit: 32, Width: 32, Doc: "first segment that is too short, from 1; 0 if unknown"},
		{Name: "rdma_length_needed", Key: "length_needed", Bit: 64, Width: 32, Doc: "bytes needed in that segment"},
	},
}

// optionalTable is the words of an RDMA2_OPTIONAL before rdma_optinfo's bytes.
var optionalTable = field.Table{
	Key: "rpcrdma.option", Name: "rpcrdma2_optional", Title: "Option", Ref: version2 + "4.1",
	Fields: []field.Field{
		{Name: "rdma_optdir", Key: "direction", Bit: 0, Width: 32, Enum: directionName, Doc: "of the RPC message, or of the sender if there is none"},
		{Name: "rdma_opttype", Key: "type", Bit: 32, Width: 32, Enum: optionName, Doc: "the optional operation"},
		{Name: "rdma_optinfo length", Key: "length", Bit: 64, Width: 32, Doc: "bytes of the operation's own data"},
	},
}

// specTable is the count of an xcharspec.
var specTable = field.Table{
	Key: "rpcrdma.xcharspec", Name: "xcharspec", Title: "Characteristics", Ref: xcharext + "2.1",
	Fields: []field.Field{
		{Name: "count", Key: "count", Bit: 0, Width: 32, Doc: "characteristics that follow"},
	},
}

// xcharvalTable is an xcharval before the bytes of its value.
var xcharvalTable = field.Table{
	Key: "rpcrdma.xcharval", Name: "xcharval", Title: "Characteristic", Ref: xcharext + "2.1",
	Fields: []field.Field{
		{Name: "xchv_which", Key: "which", Bit: 0, Width: 32, Enum: xcharName, Doc: "which characteristic"},
		{Name: "xchv_data length", Key: "length", Bit: 32, Width: 32, Doc: "bytes of the value"},
	},
}

// subsetTable is the count of an xcharsubset, wordTable one word of it.
var subsetTable = field.Table{
	Key: "rpcrdma.xcharsubset", Name: "xcharsubset", Title: "Subset", Ref: xcharext + "2.1",
	Fields: []field.Field{
		{Name: "count", Key: "count", Bit: 0, Width: 32, Doc: "words of 32 elements that follow"},
	},
}

var wordTable = field.Table{
	Key: "rpcrdma.xcharsubset", Name: "word", Title: "Word", Ref: xcharext + "2.1",
	Fields: []field.Field{
		{Name: "word", Key: "word", Bit: 0, Width: 32, Format: field.Hex, Doc: "a bit for each element, the least significant for the first"},
	},
}

// pendclrTable is the last word of an UPD_XCHAR.
var pendclrTable = field.Table{
	Key: "rpcrdma.option", Name: "optinfo_updxch", Title: "Pending", Ref: xcharext + "4.4",
	Fields: []field.Field{
		{Name: "optuxc_pendclr", Key: "pending_clear", Bit: 0, Width: 32, Enum: trueName, Doc: "a request for this is no longer pending"},
	},
}

// The values of the characteristics that are defined.
var (
	rbsizTable = field.Table{
		Key: "rpcrdma.xchar", Name: "XCHAR_RBSIZ", Title: "Receive Buffer Size", Ref: xcharext + "3.1",
		Fields: []field.Field{
			{Name: "XCHAR_RBSIZ", Key: "rbsiz", Bit: 0, Width: 32, Doc: "least size of posted receive buffers, bytes"},
		},
	}
	rqreminvTable = field.Table{
		Key: "rpcrdma.xchar", Name: "XCHAR_RQREMINV", Title: "Requester Remote Invalidation", Ref: xcharext + "3.2",
		Fields: []field.Field{
			{Name: "XCHAR_RQREMINV", Key: "rqreminv", Bit: 0, Width: 32, Enum: trueName, Doc: "as requester it takes remote invalidation"},
		},
	}
	brsTable = field.Table{
		Key: "rpcrdma.xchar", Name: "XCHAR_BRS", Title: "Backward Request Support", Ref: xcharext + "3.3",
		Fields: []field.Field{
			{Name: "XCHAR_BRS", Key: "brs", Bit: 0, Width: 32, Enum: bkrqsupName, Doc: "which messages of the reverse direction it accepts"},
		},
	}
)

// valueTable is the table of a characteristic's value, nil for one that is not
// defined.
func valueTable(id CharacteristicID) *field.Table {
	switch id {
	case XcharRBSIZ:
		return &rbsizTable
	case XcharRQREMINV:
		return &rqreminvTable
	case XcharBRS:
		return &brsTable
	}
	return nil
}

func optionName(v uint64) string { return OptionType(v).Name() }
