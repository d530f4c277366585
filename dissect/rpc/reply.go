package rpc

// Status names how the call ended: accept_stat of an accepted reply,
// reject_stat of a denied one (RFC 5531, section 9).
func (r *Reply) Status() string {
	if r.Denied {
		return r.Reject.String()
	}
	return r.Accept.String()
}

// Mismatch reports whether the reply states the lowest and highest version that the
// server has: of the program, or of RPC itself.
func (r *Reply) Mismatch() bool {
	if r.Denied {
		return r.Reject == RPCMismatch
	}
	return r.Accept == ProgMismatch
}
