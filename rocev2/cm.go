package rocev2

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/field"
)

// A CM is a communication management message (MAD class 0x07), as scalars and
// slices of the MAD's bytes. Decode fills the same CM again and allocates
// nothing. A field that the message does not have is zero.
//
// How a connection is made and ended:
//
//	client                               server
//	  ├── REQ  QP a, PSN x, private data ──>│   x: what the server's packets
//	  │<── REP  QP b, PSN y, private data ──┤      to a start with
//	  ├── RTU ─────────────────────────────>│   y: the client's to b
//	  │           ... QP a <──> QP b ...    │
//	  ├── DREQ  QP b ──────────────────────>│   from either side
//	  │<── DREP ────────────────────────────┤
//
// A REJ in the place of a REP, an RTU or later refuses the connection; an MRA
// asks for patience.
type CM struct {
	// Kind is the MAD's AttributeID.
	Kind CMKind
	// Method and Status of the MAD header, and its TransactionID.
	Method        uint8
	Status        uint16
	TransactionID uint64
	// LocalCommID and RemoteCommID are the sender's and the receiver's
	// communication IDs (a SIDR message has its RequestID in LocalCommID).
	LocalCommID, RemoteCommID uint32
	// ServiceID of REQ, SIDR_REQ and SIDR_REP.
	ServiceID uint64
	// QPN is the sender's queue pair (REQ, REP), the receiver's (DREQ, LAP), or
	// the one that SIDR_REP names.
	QPN uint32
	// StartingPSN is the first PSN that the receiver of this REQ or REP is to send.
	StartingPSN uint32
	// ResponderResources and InitiatorDepth of REQ and REP: how many RDMA Reads
	// and atomics the sender takes, and issues, at a time.
	ResponderResources, InitiatorDepth uint8
	// PathMTU of a REQ in bytes (256 to 4096), 0 where the code is none.
	PathMTU int
	// RNRRetryCount of REQ and REP (7 is no limit); RetryCount of REQ.
	RNRRetryCount, RetryCount uint8
	// LocalACKTimeout of a REQ, of its primary path: the sender's queue pair waits
	// 4.096 µs × 2^LocalACKTimeout for an ACK, and without end if it is 0.
	LocalACKTimeout uint8
	// TransportType of a REQ: 0 RC, 1 UC, 2 RD, 3 as ExtTransport says (1 XRC).
	TransportType, ExtTransport uint8
	// Reason is a REJ's reason; Rejected says which message it rejects (0 REQ,
	// 1 REP, 2 another) or, in an MRA, which is received (0 REQ, 1 REP, 2 LAP).
	Reason   RejectReason
	Rejected uint8
	// ServiceTimeout of an MRA: the answer comes within 4.096 µs × 2^ServiceTimeout.
	ServiceTimeout uint8
	// Result is the Status of a SIDR_REP or the AP Status of an APR, 0 if it
	// gives what was asked for.
	Result uint8
	// Info is the additional information of REJ, APR and SIDR_REP, as many
	// bytes as the message says (at most 72), nil for none.
	Info []byte
	// IP is the IP CM header (Annex A11) of a REQ or SIDR_REQ with an IP service ID.
	IP IPCM
	// PrivateData is the consumer's private data, without the IP CM header. No
	// length is carried: it has all the bytes of its field, zeros at the end.
	PrivateData []byte
	// PrivateDataOffset is its offset in the bytes that were decoded.
	PrivateDataOffset int
	// Fault is the first thing wrong, with its byte in what was decoded.
	Fault field.Fault
}

// An IPCM is the RDMA IP CM service's part of a REQ's private data (Annex A11).
type IPCM struct {
	// Valid is true if the service ID is of the IP CM service and the header
	// decodes; without it only Protocol and DstPort may be set.
	Valid bool
	// Protocol is the IP protocol of the port space (6 TCP, 17 UDP).
	Protocol uint8
	// DstPort is the destination port in the service ID, SrcPort that in the header.
	DstPort, SrcPort uint16
	// Src and Dst are the addresses in the header.
	Src, Dst link.Addr
}
