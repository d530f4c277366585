// Package bind makes a captured NFS conversation run on another server: in captured
// calls it replaces what the captured server gave by what the live server gave in its
// place, and numbers that count calls by those that the live server expects.
//
//	captured reply      | ... | filehandle A1 | stateid 1:B1 | session C1 | ...
//	                                │ tied          │             │
//	live reply          | ... | filehandle A2..... | stateid 7:B2 | session C2 | ...
//
//	captured call ──> Binder.Call ──> the same call with A2, 7:B2, C2 ──> live server
//	    XID, header        │              lengths, Positions moved             │
//	    unchanged          └── Unbound: what no reply has given                │
//	                                                                           │
//	captured reply ──────────> Call.Reply <──────────────── live reply ────────┘
//	                             │ ties items of the same kind at the same place
//	                             └── Verdict: continue, or wait and send it again
//
// Which items are filehandles, stateids, sessions, cookies, sequence numbers, and what
// differs between any two servers (times, fileids, free space), is reported by notes in the
// texts that describe the programs (@bind, @varies, @retry: package dissect/xdr/types),
// so that a user's own program can be bound as NFS is.
//
// # What is bound
//
//	handle     replaced by what a live reply gave where the captured one gave this
//	stateid    the same; the seqid continues from the live one. All-zero, all-one,
//	           current and invalid stateids stay (RFC 8881, section 8.2.3)
//	client, session, verifier    the same; zero stays
//	cookie     the same, within one directory; zero stays
//	owner      of a client: gets a suffix, so that a live client with that owner keeps
//	           its state (RFC 8881, section 18.35; RFC 7530, section 16.33)
//	sequence   slots of a session, CREATE_SESSION (RFC 8881, sections 2.10.6.1, 18.36)
//	seqid      of open-owners and lock-owners of NFS 4.0 (RFC 7530, section 9.1.7)
//
// # The order
//
// A call can only be rewritten with what is known by then: whoever sends asks for a
// call's bytes when everything that was replied before it in the capture has been
// given to Reply.
//
// # A capture that begins late
//
// Late finds what calls of NFS version 4.1 use that was given before the capture began, and makes
// the calls that give it, each with the reply that the captured server would have given. A Binder
// takes both as if they had been captured: sessions, handles and stateids are tied as always.
//
// # What is not bound
//
// RPCSEC_GSS: a context and its checksums cannot be made again (ErrGSS). pNFS: data
// servers are other hosts; device IDs are reported as unbound.
package bind
