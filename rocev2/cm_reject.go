package rocev2

import "strconv"

// A RejectReason is the Reason of a REJ (IBA 12.6.7.2).
type RejectReason uint16

// The reasons that a connection over an Ethernet or InfiniBand network meets
// in practice; String knows them all.
const (
	// RejNoResources: the receiver has no resources for a connection.
	RejNoResources RejectReason = 3
	// RejTimeout: the sender waited too long for an answer.
	RejTimeout RejectReason = 4
	// RejInvalidServiceID: nobody listens for the REQ's service ID.
	RejInvalidServiceID RejectReason = 8
	// RejStaleConnection: the queue pair or communication ID is still in use.
	RejStaleConnection RejectReason = 10
	// RejConsumer: the consumer refused; its private data may say why.
	RejConsumer RejectReason = 28
)

// rejectReasons has the specification's names by number, "" where there is none.
var rejectReasons = [...]string{
	1:  "No QP available",
	2:  "No EEC available",
	3:  "No resources available",
	4:  "Timeout",
	5:  "Unsupported request",
	6:  "Invalid Communication ID",
	7:  "Invalid Communication Instance",
	8:  "Invalid Service ID",
	9:  "Invalid Transport Service Type",
	10: "Stale connection",
	11: "RDC does not exist",
	12: "Primary Remote Port GID rejected",
	13: "Primary Remote Port LID rejected",
	14: "Invalid Primary SL",
	15: "Invalid Primary Traffic Class",
	16: "Invalid Primary Hop Limit",
	17: "Invalid Primary Packet Rate",
	18: "Alternate Remote Port GID rejected",
	19: "Alternate Remote Port LID rejected",
	20: "Invalid Alternate SL",
	21: "Invalid Alternate Traffic Class",
	22: "Invalid Alternate Hop Limit",
	23: "Invalid Alternate Packet Rate",
	24: "CM redirection",
	25: "Port redirection",
	26: "Invalid Path MTU",
	27: "Insufficient Responder Resources",
	28: "Consumer Reject",
	29: "RNR Retry Count Reject",
	30: "Duplicate Local Communication ID",
	31: "Unsupported Class Version",
	32: "Invalid Primary Flow Label",
	33: "Invalid Alternate Flow Label",
	35: "Vendor option not supported",
}

// nameReject is the specification's name of a reason, or "".
func nameReject(v uint64) string {
	if v < uint64(len(rejectReasons)) {
		return rejectReasons[v]
	}
	return ""
}

// String is the specification's name of the reason, as in "Invalid Service ID",
// or its number, as in "reserved reason 34".
func (r RejectReason) String() string {
	if s := nameReject(uint64(r)); s != "" {
		return s
	}
	return "reserved reason " + strconv.Itoa(int(r))
}
