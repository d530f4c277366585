package build

// A Message is an RPC message as the upper layer makes it, nothing taken out.
type Message struct {
	Bytes []byte
	// Item and ItemLength say where its DDP-eligible item begins and how long
	// it is without pad, both in bytes; Item is 0 if it has none.
	Item, ItemLength int
}

// XID is the message's first word.
func (m Message) XID() uint32 {
	return uint32(m.Bytes[0])<<24 | uint32(m.Bytes[1])<<16 | uint32(m.Bytes[2])<<8 | uint32(m.Bytes[3])
}

// Placed are the bytes of the item, without pad.
func (m Message) Placed() []byte { return m.Bytes[m.Item : m.Item+m.ItemLength] }

// Reduced is the message without the item and its pad, which is what goes
// inline when the item goes by a chunk.
func (m Message) Reduced() []byte {
	b := append([]byte(nil), m.Bytes[:m.Item]...)
	return append(b, m.Bytes[m.Item+m.ItemLength+(-m.ItemLength&3):]...)
}

// Auth is an opaque_auth: a credential or a verifier (RFC 5531, section 8.2).
type Auth struct {
	Flavor uint32
	Body   []byte
}

// AuthSys is a credential of the flavor AUTH_SYS (RFC 5531, appendix A).
func AuthSys(machine string, uid, gid uint32, gids ...uint32) Auth {
	b := appendOpaque(appendWords(nil, 0), []byte(machine))
	b = appendWords(b, uid, gid, uint32(len(gids)))
	return Auth{Flavor: 1, Body: appendWords(b, gids...)}
}

func (a Auth) append(b []byte) []byte {
	return appendOpaque(appendWords(b, a.Flavor), a.Body)
}

// RPCCall is a call of ONC RPC version 2 (RFC 5531, section 9). The zero Auth
// is AUTH_NONE.
type RPCCall struct {
	XID                         uint32
	Program, Version, Procedure uint32
	Cred, Verf                  Auth
	Args                        []byte
}

// Bytes is the call as XDR.
func (c RPCCall) Bytes() []byte {
	b := appendWords(nil, c.XID, 0, 2, c.Program, c.Version, c.Procedure)
	b = c.Verf.append(c.Cred.append(b))
	return append(b, c.Args...)
}

// RPCReply is an accepted reply; Stat 0 is SUCCESS.
type RPCReply struct {
	XID     uint32
	Verf    Auth
	Stat    uint32
	Results []byte
}

// Bytes is the reply as XDR.
func (r RPCReply) Bytes() []byte {
	b := r.Verf.append(appendWords(nil, r.XID, 1, 0))
	return append(appendWords(b, r.Stat), r.Results...)
}

// RPCDenied is a denied reply: reject is 0 with the lowest and highest RPC
// version, or 1 with an auth_stat.
func RPCDenied(xid, reject uint32, why ...uint32) []byte {
	return appendWords(appendWords(nil, xid, 1, 1, reject), why...)
}
