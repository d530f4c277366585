package scene

import "github.com/rdmacap/rdmacap/internal/build"

const flavorGSS = 6

// option takes an option about the RPC header; it reports whether it was one.
func (h *head) option(c *cursor, word string) bool {
	switch word {
	case "rpc":
		if h.words == nil {
			h.words = make(map[string]uint32)
		}
		for c.more() {
			name := c.one("xid", "mtype", "rpcvers", "prog", "vers", "proc", "replystat", "accept")
			c.mark("=")
			h.words[name] = c.number32(name)
		}
	case "cred":
		h.cred = h.auth(c)
	case "verf":
		h.verf = h.auth(c)
	default:
		return false
	}
	return true
}

// auth takes a credential or verifier.
func (h *head) auth(c *cursor) *build.Auth {
	if c.isNumber() {
		a := build.Auth{Flavor: c.number32("a flavor")}
		if c.more() {
			a.Body = c.bytes("the body")
		}
		return &a
	}
	switch c.one("none", "sys", "gss") {
	case "sys":
		a := build.AuthSys("client", 0, 0)
		return &a
	case "gss":
		return h.gss(c)
	}
	return &build.Auth{}
}

// gss takes a credential of RPCSEC_GSS (RFC 2203, section 5).
func (h *head) gss(c *cursor) *build.Auth {
	version, procedure, service, handle := uint32(1), uint32(0), uint32(1), []byte("\x00\x00\x00\x2a")
	h.sequence = 1
	for c.more() {
		name := c.one("service", "procedure", "seq", "handle", "version")
		c.mark("=")
		switch name {
		case "service":
			service = c.choice("none", 1, "integrity", serviceIntegrity, "privacy", servicePrivacy)
		case "procedure":
			procedure = c.choice("data", 0, "init", 1, "continue", 2, "destroy", 3)
		case "seq":
			h.sequence = c.number32(name)
		case "version":
			version = c.number32(name)
		case "handle":
			handle = c.bytes(name)
		}
	}
	if procedure == 0 {
		h.service = service
	}
	x := encoder{trouble: c.trouble}
	for _, w := range []uint32{version, procedure, h.sequence, service} {
		x.word(w)
	}
	x.opaque("handle", handle, false)
	return &build.Auth{Flavor: flavorGSS, Body: x.b}
}

// choice takes a number or one of the names, each of which its number follows.
func (c *cursor) choice(names ...any) uint32 {
	if c.isNumber() {
		return c.number32("a number")
	}
	var known []string
	w := c.word("a name or number")
	for i := 0; i < len(names); i += 2 {
		if names[i] == w || names[i] == short(w) {
			return uint32(names[i+1].(int))
		}
		known = append(known, names[i].(string))
	}
	c.fail("%q is no number and none of %s", w, known)
	return 0
}
