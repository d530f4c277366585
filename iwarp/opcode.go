package iwarp

import "strconv"

// An OpCode is the RDMAP opcode, the lower four bits of a DDP segment's second
// byte (RFC 5040 section 4.1, RFC 7306 section 4.1). It says what the message
// is, and so whether its segments are tagged and which queue takes them.
type OpCode uint8

// The opcodes (RFC 5040 figure 4; from OpImmediate on, RFC 7306 figure 1).
const (
	OpWrite            OpCode = iota // RDMA Write
	OpReadRequest                    // RDMA Read Request
	OpReadResponse                   // RDMA Read Response
	OpSend                           // Send
	OpSendInvalidate                 // Send with Invalidate
	OpSendSE                         // Send with Solicited Event
	OpSendSEInvalidate               // Send with Solicited Event and Invalidate
	OpTerminate                      // Terminate
	OpImmediate                      // Immediate Data
	OpImmediateSE                    // Immediate Data with Solicited Event
	OpAtomicRequest                  // Atomic Request
	OpAtomicResponse                 // Atomic Response

	opCount // opcodes from here to 15 are reserved
)

// The untagged queues (RFC 5040 section 4.2, RFC 7306 section 4.2).
const (
	QNSend           = 0 // Sends and Immediate Data
	QNReadRequest    = 1 // RDMA Read Requests and Atomic Requests
	QNTerminate      = 2 // Terminate
	QNAtomicResponse = 3 // Atomic Responses
)

// ops is the truth about each opcode. Least and most are the bytes of payload
// of a message that always is one segment and all of whose payload RDMAP
// defines, 0 for the others; what to say if it is not so, or was not captured.
var ops = [opCount]opInfo{
	OpWrite: {name: "RDMA Write", tagged: true},
	OpReadRequest: {name: "RDMA Read Request", qn: QNReadRequest, least: ReadRequestSize, most: ReadRequestSize,
		wrongLength: "RDMA Read Request header is not of 28 bytes", cutShort: "RDMA Read Request header cut short"},
	OpReadResponse:     {name: "RDMA Read Response", tagged: true},
	OpSend:             {name: "Send", qn: QNSend},
	OpSendInvalidate:   {name: "Send with Invalidate", qn: QNSend},
	OpSendSE:           {name: "Send with Solicited Event", qn: QNSend},
	OpSendSEInvalidate: {name: "Send with Solicited Event and Invalidate", qn: QNSend},
	OpTerminate: {name: "Terminate", qn: QNTerminate, least: TerminateMin, most: TerminateMax,
		wrongLength: "Terminate is not as long as its control bits say", cutShort: "Terminate header cut short"},
	OpImmediate: {name: "Immediate Data", qn: QNSend, least: ImmediateSize, most: ImmediateSize,
		wrongLength: "Immediate Data does not have 8 bytes", cutShort: "Immediate Data cut short"},
	OpImmediateSE: {name: "Immediate Data with Solicited Event", qn: QNSend, least: ImmediateSize, most: ImmediateSize,
		wrongLength: "Immediate Data does not have 8 bytes", cutShort: "Immediate Data cut short"},
	OpAtomicRequest: {name: "Atomic Request", qn: QNReadRequest, least: AtomicRequestSize, most: AtomicRequestSize,
		wrongLength: "Atomic Request header is not of 52 bytes", cutShort: "Atomic Request header cut short"},
	OpAtomicResponse: {name: "Atomic Response", qn: QNAtomicResponse, least: AtomicResponseSize, most: AtomicResponseSize,
		wrongLength: "Atomic Response header is not of 12 bytes", cutShort: "Atomic Response header cut short"},
}

type opInfo struct {
	name                  string
	tagged                bool
	qn                    uint32
	least, most           int
	wrongLength, cutShort string
}

// single reports whether the message always is one segment.
func (o *opInfo) single() bool { return o.most != 0 }

// String is the message's name, as in "Send with Invalidate", or "reserved
// opcode 0xc".
func (o OpCode) String() string {
	if !o.Known() {
		return "reserved opcode 0x" + strconv.FormatUint(uint64(o), 16)
	}
	return ops[o].name
}

// Known reports whether RFC 5040 or RFC 7306 defines the opcode.
func (o OpCode) Known() bool { return o < opCount }

// Tagged reports whether the message's segments must be tagged; those of all
// other known opcodes must be untagged.
func (o OpCode) Tagged() bool { return o.Known() && ops[o].tagged }

// QN is the number of the queue that takes the message's untagged segments; 0
// for tagged and for reserved opcodes.
func (o OpCode) QN() uint32 {
	if !o.Known() {
		return 0
	}
	return ops[o].qn
}

// IsSend reports whether the message is one of the four kinds of Send.
func (o OpCode) IsSend() bool { return o >= OpSend && o <= OpSendSEInvalidate }

// Invalidates reports whether the message names an STag to invalidate.
func (o OpCode) Invalidates() bool { return o == OpSendInvalidate || o == OpSendSEInvalidate }
