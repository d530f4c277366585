// Package rpc reads the headers of ONC RPC messages (RFC 5531), with their
// credentials and what RPCSEC_GSS (RFC 2203) adds to them, and names programs
// and procedures.
//
// A message is XDR, big-endian; every cell but a body is a word of four bytes:
//
//	Call   xid | CALL = 0 | rpcvers = 2 | prog | vers | proc |
//	       cred: flavor | length | body |  verf: flavor | length | body |  arguments
//
//	Reply  xid | REPLY = 1 | MSG_ACCEPTED = 0 |
//	       verf: flavor | length | body |  accept_stat | low | high  or  results
//	       xid | REPLY = 1 | MSG_DENIED = 1 |
//	       RPC_MISMATCH = 0 | low | high   or   AUTH_ERROR = 1 | auth_stat
//
//	Body of an RPCSEC_GSS credential
//	       version | gss_proc | seq_num | service | handle length | handle
//
// A body has at most 400 bytes. Decode fills the same Call or Reply again and
// allocates nothing; a malformed header is a field.Fault, and what stood before
// it is kept. Nodes builds the tree that a person looks at.
package rpc
