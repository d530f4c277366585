package rpcrdma

import (
	"bytes"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// A peer of RPC-over-RDMA version 1 may tell in the private data of the
// connection's setup what it can take (RFC 8797, section 4):
//
//	0     Format Identifier 0xf6ab0e18
//	4     Version | reserved, R | Send Size | Receive Size
const (
	// PrivateDataSize is the number of bytes of the format.
	PrivateDataSize = 8
	// PrivateDataFormat is its Format Identifier, as bytes.
	PrivateDataFormat = "\xf6\xab\x0e\x18"
	// PrivateDataVersion is the only Version that is defined.
	PrivateDataVersion = 1
	// DefaultThreshold is the inline threshold, in bytes, of a peer that sent
	// no private data (RFC 8166, section 3.3.2).
	DefaultThreshold = 1024

	flagRemoteInvalidation = 0x01
)

// A PrivateData is what a peer said in its connection's private data
// (RFC 8797, section 4).
type PrivateData struct {
	// Version is the format's version, 1 if FindPrivateData says so.
	Version uint8
	// Flags is the byte of flags: the lowest bit is R (remote invalidation),
	// the others are zero and ignored.
	Flags uint8
	// SendSizeCode and ReceiveSizeCode stand for (code+1) × 1024 bytes.
	SendSizeCode, ReceiveSizeCode uint8
	// Offset is the byte of the private data that the format begins at, 0
	// unless the peer put something before it.
	Offset int
}

// FindPrivateData looks for the format in b, the consumer's private data of a
// REQ, a REP or an MPA frame: at its first byte, where the format belongs, or
// else at any other (RFC 8797, section 5.2). It returns the first that is there
// whole; ok is true only if its Version is 1, and a receiver treats all else as
// no private data at all. Bytes after the format are not looked at.
func FindPrivateData(b []byte) (p PrivateData, ok bool) {
	at := formatIdentifier(b)
	if at < 0 {
		return PrivateData{}, false
	}
	f := b[at : at+PrivateDataSize]
	p = PrivateData{Version: f[4], Flags: f[5], SendSizeCode: f[6], ReceiveSizeCode: f[7], Offset: at}
	return p, p.Version == PrivateDataVersion
}

// formatIdentifier is the byte at which the format begins, -1 if it is
// nowhere whole.
func formatIdentifier(b []byte) int {
	at := bytes.Index(b, []byte(PrivateDataFormat))
	if at < 0 || len(b)-at < PrivateDataSize {
		return -1
	}
	return at
}

// RemoteInvalidation reports whether the peer can deal with Send With
// Invalidate of memory that it advertised (RFC 8797, section 4.1: R).
func (p PrivateData) RemoteInvalidation() bool { return p.Flags&flagRemoteInvalidation != 0 }

// SendSize is the most bytes that the peer sends in one RDMA Send, 1024 to
// 262144 (RFC 8797, section 4.2).
func (p PrivateData) SendSize() int { return inlineSize(p.SendSizeCode) }

// ReceiveSize is the most bytes that the peer takes in one RDMA Receive, 1024
// to 262144.
func (p PrivateData) ReceiveSize() int { return inlineSize(p.ReceiveSizeCode) }

func inlineSize(code uint8) int { return (int(code) + 1) * 1024 }

// privateDataTable is the format from its Format Identifier on.
var privateDataTable = field.Table{
	Key: "rpcrdma.private", Name: "RPC-over-RDMA Private Data", Title: "RPC-over-RDMA Version 1 Private Data", Ref: "RFC 8797, section 4",
	Fields: []field.Field{
		{Name: "Format Identifier", Key: "format", Bit: 0, Width: 32, Format: field.Hex, Doc: "0xf6ab0e18"},
		{Name: "Version", Key: "version", Bit: 32, Width: 8, Doc: "version of the format, 1"},
		{Name: "Reserved", Key: "reserved", Bit: 40, Width: 7, Format: field.Hex, Doc: "0, ignored by the receiver"},
		{Name: "R", Key: "remote_invalidation", Bit: 47, Width: 1, Format: field.Flag, Doc: "the sender supports remote invalidation"},
		{Name: "Send Size", Key: "send_size", Bit: 48, Width: 8, Enum: inlineSizeName, Doc: "the largest Send that the sender transmits"},
		{Name: "Receive Size", Key: "receive_size", Bit: 56, Width: 8, Enum: inlineSizeName, Doc: "the largest Send that the sender can receive"},
	},
}

// PrivateDataTable is the table of the format, to be read only.
func PrivateDataTable() *field.Table { return &privateDataTable }

func inlineSizeName(code uint64) string { return strconv.Itoa(inlineSize(uint8(code))) + " bytes" }

// PrivateDataNode is the tree of the format in b, the consumer's private data,
// and whether there is one. At is the offset of b in the buffer that is shown
// and is added to all offsets. A Version that is not 1 is the node's fault.
func PrivateDataNode(b []byte, at int) (n field.Node, found bool) {
	if formatIdentifier(b) < 0 {
		return n, false
	}
	p, ok := FindPrivateData(b)
	n = privateDataTable.Node(b, p.Offset)
	n.Name = privateDataTable.Title
	n.Value = p.String()
	if !ok {
		n.Fault = "Version is not 1"
	}
	n.Shift(at)
	return n, true
}

// String is one line, as in "Send Size 4096, Receive Size 4096, remote
// invalidation".
func (p PrivateData) String() string {
	s := "Send Size " + strconv.Itoa(p.SendSize()) + ", Receive Size " + strconv.Itoa(p.ReceiveSize())
	if p.RemoteInvalidation() {
		s += ", remote invalidation"
	}
	return s
}

// Thresholds are the inline thresholds of a connection, in bytes: the longest
// RDMA Send, transport header and all, in each direction (RFC 8166, section
// 3.3.2). Calls and replies of the same direction share one.
type Thresholds struct {
	// ToServer bounds what the client sends, ToClient what the server sends.
	ToServer, ToClient int
	// Source says where the two come from.
	Source ThresholdSource
}

// A ThresholdSource is what inline thresholds come from.
type ThresholdSource uint8

const (
	ThresholdDefault         ThresholdSource = iota // RFC 8166: an end sent no private data
	ThresholdPrivateData                            // RFC 8797: both ends did
	ThresholdCharacteristics                        // XCHAR_RBSIZ of version 2: an end told it
)

// String is "default", "private-data" or "characteristics".
func (s ThresholdSource) String() string {
	switch s {
	case ThresholdPrivateData:
		return "private-data"
	case ThresholdCharacteristics:
		return "characteristics"
	}
	return "default"
}

// NegotiatedThresholds returns what follows from the private data of the two
// ends, nil for an end that sent none of Version 1: in each direction the
// smaller of what the sender sends and the receiver takes. An end without
// private data counts as 1024 bytes both ways, the least there is, so that
// the default holds in both directions (RFC 8797, sections 4.2 and 5.1).
func NegotiatedThresholds(client, server *PrivateData) Thresholds {
	if client == nil || server == nil {
		return Thresholds{ToServer: DefaultThreshold, ToClient: DefaultThreshold, Source: ThresholdDefault}
	}
	return Thresholds{
		ToServer: min(client.SendSize(), server.ReceiveSize()),
		ToClient: min(server.SendSize(), client.ReceiveSize()),
		Source:   ThresholdPrivateData,
	}
}

// RemoteInvalidationAllowed reports whether a responder may answer with Send
// With Invalidate: only if both ends set R (RFC 8797, section 4.1). An end
// without private data, nil, did not.
func RemoteInvalidationAllowed(client, server *PrivateData) bool {
	return client != nil && server != nil && client.RemoteInvalidation() && server.RemoteInvalidation()
}
