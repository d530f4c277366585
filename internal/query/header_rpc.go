package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/filter"
)

// The values of the field rpc.msgtyp (RFC 5531, section 9).
const (
	msgCall  = 0
	msgReply = 1
)

// rpcHeaderFields are what messages, and the frames that complete them, have of the
// RPC that they are a part of. RPCs have more.
func rpcHeaderFields() (l list[*dissect.Message]) {
	add := func(f filter.Field, of func(*dissect.Message) uint64) *Field {
		return l.addField(f, func(m *dissect.Message, to *filter.Values) {
			if m.Role() != dissect.RoleNone && m.Header.Proc != rpcrdma.RDMAError {
				to.Uint(of(m))
			}
		})
	}
	// That of the transport header is the same, and a long message has no other here.
	add(filter.Field{Name: "rpc.xid", Kind: filter.Uint, Doc: "XID of the call or reply that it carries, or whose header it is"},
		func(m *dissect.Message) uint64 { return uint64(m.Header.XID) }).ofUnit(Handle)
	add(filter.Field{Name: "rpc.msgtyp", Kind: filter.Enum, Doc: "which of the two it is",
		Names: these([]name{{"CALL", msgCall}, {"REPLY", msgReply}})},
		func(m *dissect.Message) uint64 {
			if m.Role() == dissect.RoleAnswer {
				return msgReply
			}
			return msgCall
		})
	return l
}
