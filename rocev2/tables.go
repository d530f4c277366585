package rocev2

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// Tables lists the tables of the transport's headers, in wire order. They are
// read-only.
func Tables() []*field.Table {
	return []*field.Table{&bthTable, &rdethTable, &dethTable, &xrcethTable, &fethTable, &rethTable,
		&atomicETHTable, &aethTable, &atomicAckETHTable, &immDtTable, &iethTable, &icrcTable}
}

// extTables are the tables of the extended headers by the number of their bit.
var extTables = [extCount]*field.Table{&rdethTable, &dethTable, &xrcethTable, &fethTable, &rethTable,
	&atomicETHTable, &aethTable, &atomicAckETHTable, &immDtTable, &iethTable}

var bthTable = field.Table{Key: "bth", Name: "BTH", Title: "Base Transport Header", Ref: "IBA 9.2, Annex A17", Fields: []field.Field{
	{Name: "OpCode", Key: "opcode", Bit: 0, Width: 8, Format: field.Hex, Enum: nameOpCode, Doc: "transport and operation"},
	{Name: "SE", Key: "se", Bit: 8, Width: 1, Format: field.Flag, Doc: "solicited event"},
	{Name: "MigReq", Key: "migreq", Bit: 9, Width: 1, Format: field.Flag, Doc: "path migration state"},
	{Name: "PadCnt", Key: "padcnt", Bit: 10, Width: 2, Doc: "bytes between payload and ICRC"},
	{Name: "TVer", Key: "tver", Bit: 12, Width: 4, Doc: "version of the transport headers, 0"},
	{Name: "P_Key", Key: "pkey", Bit: 16, Width: 16, Format: field.Hex, Enum: namePKey, Doc: "partition key"},
	{Name: "FECN", Key: "fecn", Bit: 32, Width: 1, Format: field.Flag, Doc: "congestion on the path"},
	{Name: "BECN", Key: "becn", Bit: 33, Width: 1, Format: field.Flag, Doc: "congestion on the return path"},
	{Name: "Reserved", Key: "resv6", Bit: 34, Width: 6, Format: field.Hex, Doc: "not covered by the ICRC, as FECN and BECN"},
	{Name: "DestQP", Key: "destqp", Bit: 40, Width: 24, Format: field.Hex, Doc: "the receiver's queue pair"},
	{Name: "AckReq", Key: "ackreq", Bit: 64, Width: 1, Format: field.Flag, Doc: "the requester wants an acknowledgement"},
	{Name: "Reserved", Key: "resv7", Bit: 65, Width: 7, Format: field.Hex, Doc: "0"},
	{Name: "PSN", Key: "psn", Bit: 72, Width: 24, Doc: "packet sequence number"},
}}

var rdethTable = field.Table{Key: "rdeth", Name: "RDETH", Title: "Reliable Datagram Extended Transport Header", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "Reserved", Key: "reserved", Bit: 0, Width: 8, Format: field.Hex, Doc: "0"},
	{Name: "EE-Context", Key: "eecontext", Bit: 8, Width: 24, Format: field.Hex, Doc: "the receiver's end-to-end context"},
}}

var dethTable = field.Table{Key: "deth", Name: "DETH", Title: "Datagram Extended Transport Header", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "Q_Key", Key: "qkey", Bit: 0, Width: 32, Format: field.Hex, Doc: "queue key: the right to send to this queue"},
	{Name: "Reserved", Key: "reserved", Bit: 32, Width: 8, Format: field.Hex, Doc: "0"},
	{Name: "SrcQP", Key: "srcqp", Bit: 40, Width: 24, Format: field.Hex, Doc: "the sender's queue pair"},
}}

var xrcethTable = field.Table{Key: "xrceth", Name: "XRCETH", Title: "XRC Extended Transport Header", Ref: "IBA Annex A14", Fields: []field.Field{
	{Name: "Reserved", Key: "reserved", Bit: 0, Width: 8, Format: field.Hex, Doc: "0"},
	{Name: "XRCSRQ", Key: "srq", Bit: 8, Width: 24, Format: field.Hex, Doc: "the receiver's shared receive queue"},
}}

var fethTable = field.Table{Key: "feth", Name: "FETH", Title: "FLUSH Extended Transport Header", Ref: "IBA Annex A19", Fields: []field.Field{
	{Name: "Reserved", Key: "reserved", Bit: 0, Width: 26, Format: field.Hex, Doc: "0"},
	{Name: "SEL", Key: "sel", Bit: 26, Width: 2, Enum: nameSelectivity, Doc: "what is flushed"},
	{Name: "PLT", Key: "plt", Bit: 28, Width: 4, Format: field.Hex, Doc: "bit 0 global visibility, bit 1 persistence"},
}}

var rethTable = field.Table{Key: "reth", Name: "RETH", Title: "RDMA Extended Transport Header", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "VA", Key: "va", Bit: 0, Width: 64, Format: field.Hex, Doc: "remote virtual address"},
	{Name: "R_Key", Key: "rkey", Bit: 64, Width: 32, Format: field.Hex, Doc: "the right to that memory"},
	{Name: "DMALen", Key: "dmalen", Bit: 96, Width: 32, Doc: "bytes of the whole operation"},
}}

var atomicETHTable = field.Table{Key: "atomiceth", Name: "AtomicETH", Title: "Atomic Extended Transport Header", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "VA", Key: "va", Bit: 0, Width: 64, Format: field.Hex, Doc: "remote virtual address"},
	{Name: "R_Key", Key: "rkey", Bit: 64, Width: 32, Format: field.Hex, Doc: "the right to that memory"},
	{Name: "SwapDt", Key: "swapdt", Bit: 96, Width: 64, Format: field.Hex, Doc: "what is stored (CmpSwap) or added (FetchAdd)"},
	{Name: "CmpDt", Key: "cmpdt", Bit: 160, Width: 64, Format: field.Hex, Doc: "what CmpSwap compares with"},
}}

var aethTable = field.Table{Key: "aeth", Name: "AETH", Title: "ACK Extended Transport Header", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "Syndrome", Key: "syndrome", Bit: 0, Width: 8, Format: field.Hex, Enum: nameSyndrome, Doc: "ACK, RNR NAK or NAK, with its code"},
	{Name: "MSN", Key: "msn", Bit: 8, Width: 24, Doc: "message sequence number: messages completed"},
}}

var atomicAckETHTable = field.Table{Key: "atomicacketh", Name: "AtomicAckETH", Title: "Atomic ACK Extended Transport Header", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "OrigRemDt", Key: "origremdt", Bit: 0, Width: 64, Format: field.Hex, Doc: "the remote value before the operation"},
}}

var immDtTable = field.Table{Key: "immdt", Name: "ImmDt", Title: "Immediate Data", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "ImmDt", Key: "immdt", Bit: 0, Width: 32, Format: field.Hex, Doc: "passed to the receiver's consumer as it is"},
}}

var iethTable = field.Table{Key: "ieth", Name: "IETH", Title: "Invalidate Extended Transport Header", Ref: "IBA 9.3", Fields: []field.Field{
	{Name: "R_Key", Key: "rkey", Bit: 0, Width: 32, Format: field.Hex, Doc: "the R_Key that the receiver is to invalidate"},
}}

var icrcTable = field.Table{Key: "icrc", Name: "ICRC", Title: "Invariant CRC", Ref: "IBA 7.8.1", Fields: []field.Field{
	{Name: "ICRC", Key: "icrc", Bit: 0, Width: 32, Format: field.Hex, Doc: "the four bytes as sent; the CRC-32 has them reversed"},
}}

func nameOpCode(v uint64) string { return OpCode(v).String() }

// nameSyndrome has of an ACK also how many requests the responder has receives for.
func nameSyndrome(v uint64) string {
	s := Syndrome(v)
	if !s.IsACK() {
		return s.String()
	}
	if n, ok := s.Credits(); ok {
		return s.String() + ", credit count " + strconv.Itoa(n)
	}
	return s.String() + ", no credit count"
}

// namePKey says which rights a P_Key gives in its partition (IBA 10.9).
func namePKey(v uint64) string {
	const full, partition, standard = 0x8000, 0x7fff, 0x7fff
	name := "limited member"
	if v&full != 0 {
		name = "full member"
	}
	if v&partition == standard {
		name += " of the default partition"
	}
	return name
}

func nameSelectivity(v uint64) string {
	switch v {
	case 0:
		return "memory range"
	case 1:
		return "memory region"
	}
	return ""
}
