package rocev2

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// A management datagram (MAD) is the payload of a UD SEND to queue pair 0 or 1:
//
//	0     BaseVersion | MgmtClass | ClassVersion | Method
//	4     Status (2)              | ClassSpecific (2)
//	8     TransactionID (8)
//	16    AttributeID (2)         | reserved (2)
//	20    AttributeModifier (4)
//	24    the class's own data, 232 bytes
const (
	// MADSize is the number of bytes of every MAD (IBA 13.4.2).
	MADSize = 256
	// MADHeaderSize is the number of bytes of the MAD header (IBA 13.4.2).
	MADHeaderSize = 24
)

// Values of the MAD header (IBA 13.4.2 to 13.4.5, chapter 12).
const (
	// MADBaseVersion is the only BaseVersion of the InfiniBand specification.
	MADBaseVersion = 1
	// MgmtClassCM is communication management.
	MgmtClassCM = 0x07
	// CMClassVersion is the ClassVersion of the messages that this package decodes.
	CMClassVersion = 2
	// MethodSend is the Method of all messages of communication management.
	MethodSend = 0x03
)

var madTable = field.Table{Key: "mad", Name: "MAD", Title: "Management Datagram Header", Ref: "IBA 13.4.2", Fields: []field.Field{
	{Name: "BaseVersion", Key: "baseversion", Bit: 0, Width: 8, Doc: "version of the MAD header, 1"},
	{Name: "MgmtClass", Key: "mgmtclass", Bit: 8, Width: 8, Format: field.Hex, Enum: nameMgmtClass, Doc: "management class"},
	{Name: "ClassVersion", Key: "classversion", Bit: 16, Width: 8, Doc: "version of the class's messages, 2 for CM"},
	{Name: "Method", Key: "method", Bit: 24, Width: 8, Format: field.Hex, Enum: nameMethod, Doc: "what to do; bit 7 marks a response"},
	{Name: "Status", Key: "status", Bit: 32, Width: 16, Format: field.Hex, Doc: "0 if all is well"},
	{Name: "ClassSpecific", Key: "classspecific", Bit: 48, Width: 16, Format: field.Hex, Doc: "the class's own use"},
	{Name: "TransactionID", Key: "transactionid", Bit: 64, Width: 64, Format: field.Hex, Doc: "binds the messages of one exchange"},
	{Name: "AttributeID", Key: "attributeid", Bit: 128, Width: 16, Format: field.Hex, Doc: "which message of the class this is"},
	{Name: "Reserved", Key: "reserved18", Bit: 144, Width: 16, Format: field.Hex, Doc: "0"},
	{Name: "AttributeModifier", Key: "attributemodifier", Bit: 160, Width: 32, Format: field.Hex, Doc: "says more about the attribute; 0 in CM"},
}}

// nameMgmtClass names a management class as table "Management Class Values" of
// IBA 13.4.4 does.
func nameMgmtClass(v uint64) string {
	switch v {
	case 0x01:
		return "Subn, LID routed"
	case 0x03:
		return "SubnAdm"
	case 0x04:
		return "Perf"
	case 0x05:
		return "BM"
	case 0x06:
		return "DevMgt"
	case MgmtClassCM:
		return "ComMgt"
	case 0x08:
		return "SNMP"
	case 0x81:
		return "Subn, directed route"
	}
	return ""
}

// nameMethod names the methods that all classes share (IBA 13.4.5).
func nameMethod(v uint64) string {
	switch v {
	case 0x01:
		return "Get()"
	case 0x02:
		return "Set()"
	case MethodSend:
		return "Send()"
	case 0x05:
		return "Trap()"
	case 0x06:
		return "Report()"
	case 0x07:
		return "TrapRepress()"
	case 0x81:
		return "GetResp()"
	case 0x86:
		return "ReportResp()"
	}
	return ""
}

// madBytes are bytes that may end too early: a field that does not lie in
// them whole reads as 0.
type madBytes []byte

func (m madBytes) uint8(at int) uint8 {
	if at >= len(m) {
		return 0
	}
	return m[at]
}

func (m madBytes) uint16(at int) uint16 {
	if at+2 > len(m) {
		return 0
	}
	return binary.BigEndian.Uint16(m[at:])
}

func (m madBytes) uint24(at int) uint32 {
	if at+3 > len(m) {
		return 0
	}
	return uint32(m[at])<<16 | uint32(m[at+1])<<8 | uint32(m[at+2])
}

func (m madBytes) uint32(at int) uint32 {
	if at+4 > len(m) {
		return 0
	}
	return binary.BigEndian.Uint32(m[at:])
}

func (m madBytes) uint64(at int) uint64 {
	if at+8 > len(m) {
		return 0
	}
	return binary.BigEndian.Uint64(m[at:])
}

// span is as much of the n bytes at that offset as is there, nil for none.
func (m madBytes) span(at, n int) []byte {
	end := min(at+n, len(m))
	if at >= end {
		return nil
	}
	return m[at:end:end]
}
