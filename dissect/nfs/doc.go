// Package nfs holds the programs of NFS as texts in XDR language: NFS 2, 3 and 4
// with its callback, MOUNT, NLM, NSM, NFSACL and rpcbind. What is in a program is
// said there and nowhere else; package types reads the texts, package walk the
// bytes by them.
//
//	nfs2.x  nfs3.x  mount.x  nlm.x  nsm.x  nfsacl.x  rpcbind.x
//	nfs4.x ─┬─ nfs4_0.x  nfs4_open.x   operations of minor version 0
//	        ├─ nfs4_1.x  nfs4_pnfs.x   of minor version 1
//	        ├─ nfs4_2.x   of minor version 2, and extended attributes
//	        ├─ nfs4_types.x  nfs4_attributes.x  nfs4_acl.x  nfs4_layouts.x
//	        └─ nfs4_callback.x
//	             │
//	        Sources ──types.ParseAll──> Spec ──> Plan ──> Routes
//	                                                       │
//	    RPC message   | header | arguments or result |     │
//	                           └──────────┬──────────┘     │
//	                                      └───> Walker, Nodes <── Read and Write chunks
//
// Names of types, fields and values are those of the RFCs; where an RFC leaves
// something without a name (the bits of a word, the values after a bitmap), the
// text says which name is its own. Arguments are next to results, an operation
// after the other, by their numbers.
//
// # What the notes say
//
// The texts are also the upper-layer binding: @eligible marks the items that may
// travel in chunks (RFC 8267; for READ_PLUS draft-dnoveck-nfsv4-nfsulb-01). There
// are nine:
//
//	NFS 2, 3   WRITE data, READ data, SYMLINK path, READLINK path
//	NFS 4      WRITE data, READ data, CREATE linkdata, READLINK link, READ_PLUS d_data
//
// @summary is a line for a person: what is requested, and what came of it. That
// of a result begins with the status if it is not success:
//
//	SEQUENCE slot 3 seq 17; PUTFH 0x97099679; READ 2:0x1a2b3c4d offset 65536 count 32768
//	SEQUENCE slot 3 seq 17; PUTFH; READ 32768 bytes, eof
//
// Filehandles and stateids are shown as the CRC-32 of their bytes, which is what
// the tracepoints of Linux and tshark print for them.
//
// # What is not decoded
//
// What no text gives a meaning stays bytes: bodies of pNFS layouts other
// than files and flexible files, that of LAYOUTRETURN, an attribute with an
// unknown number and what follows it.
package nfs
