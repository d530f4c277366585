// Package xdr reads External Data Representation (RFC 4506) where it lies.
//
// A Cursor walks over bytes that belong to the caller, item by item, and
// tells where it is. Everything in XDR is big-endian and takes a multiple of
// four bytes:
//
//	uint32, bool, enum   | 4 bytes |
//	uint64, hyper        | 8 bytes |
//	opaque[n]            | n bytes | 0 to 3 pad bytes |
//	opaque<>, string<>   | length n, 4 bytes | n bytes | 0 to 3 pad bytes |
//	array<>              | count, 4 bytes | element | element | ...
//	optional (*)         | 0 or 1, 4 bytes | item, if 1 |
//
// The bytes come from strangers. The first thing that is wrong sticks to the
// cursor as a field.Fault; from then on every read gives zero and nothing is
// left, so that a decoder may read a whole header and look at the fault once,
// and a loop bounded by Count or Remaining ends.
//
//	c := xdr.NewCursor(message, "nfs_fh3 cut short")
//	handle := c.Opaque(64)
//	if c.Bad() { return c.Fault() }
//
// No method allocates, and none copies bytes.
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change. The packages below this one
// promise nothing.
package xdr
