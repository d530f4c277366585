package rocev2

import "github.com/rdmacap/rdmacap/field"

// A CMKind is the AttributeID of a MAD of class CM: which message it is
// (IBA chapter 12). The zero CMKind is none.
type CMKind uint16

// The messages of communication management, in the order of their AttributeIDs.
const (
	CMReq     CMKind = 0x10 + iota // asks for a connection
	CMMra                          // received: the answer takes longer
	CMRej                          // refuses a connection, or gives up its setup
	CMRep                          // accepts a REQ
	CMRtu                          // accepts a REP: ready to use
	CMDreq                         // asks to end a connection
	CMDrep                         // answers a DREQ
	CMSidrReq                      // asks for the datagram queue pair of a service
	CMSidrRep                      // names it
	CMLap                          // proposes an alternate path
	CMApr                          // answers a LAP
)

// CMClassPortInfo is the attribute of every management class that reports what
// the class can do (IBA 13.4.8.1). It is no message of a connection.
const CMClassPortInfo CMKind = 0x01

// kindNames has the short and the long name of each message, from CMReq on.
var kindNames = [...]struct{ short, long string }{
	{"REQ", "ConnectRequest"},
	{"MRA", "MsgRcptAck"},
	{"REJ", "ConnectReject"},
	{"REP", "ConnectReply"},
	{"RTU", "ReadyToUse"},
	{"DREQ", "DisconnectRequest"},
	{"DREP", "DisconnectReply"},
	{"SIDR_REQ", "ServiceIDResReq"},
	{"SIDR_REP", "ServiceIDResReqResp"},
	{"LAP", "LoadAlternatePath"},
	{"APR", "AlternatePathResponse"},
}

// IsMessage reports whether the kind is one of the eleven messages, CMReq to
// CMApr.
func (k CMKind) IsMessage() bool { return k >= CMReq && k <= CMApr }

// String is the specification's short name, "REQ" to "APR", or the attribute's
// number, as in "CM attribute 0x0020".
func (k CMKind) String() string {
	switch {
	case k.IsMessage():
		return kindNames[k-CMReq].short
	case k == CMClassPortInfo:
		return "ClassPortInfo"
	}
	return string(field.AppendHex([]byte("CM attribute "), uint64(k), 4))
}

// Title is the specification's long name and the short one, as in
// "ConnectRequest (REQ)"; without a long name it is String.
func (k CMKind) Title() string {
	if k.IsMessage() {
		n := kindNames[k-CMReq]
		return n.long + " (" + n.short + ")"
	}
	return k.String()
}
