package bind

import "github.com/rdmacap/rdmacap/dissect/xdr/walk"

// A Message is an RPC call or reply: its payload stream, without what chunks took out
// of it (RFC 8166, section 3.4).
type Message struct {
	// Bytes are the RPC message from its XID on.
	Bytes []byte
	// Program, Version and Procedure are those of the call, also in its reply.
	Program, Version, Procedure uint32
	// Reverse says that the call goes from the server to the client
	// (RFC 8167): its program's number is whatever the client chose.
	Reverse bool
	// Reads are a call's Read chunks in ascending order of Position, as
	// walk.Reduction has them: without the one at Position zero.
	Reads []walk.ReadChunk
	// Writes are the lengths of a reply's Write chunks as they were returned.
	Writes []uint32
}

// Rewritten is a message in which items were replaced.
type Rewritten struct {
	// Bytes are the message, in memory of its own. The RPC header, with the
	// XID, is as it was captured.
	Bytes []byte
	// Reads are the Read chunks: with other Positions if an item before them
	// has another length now.
	Reads []walk.ReadChunk
	// Unbound is what could not be replaced and stays as captured, in the order
	// of the bytes. At most 64 are kept; More counts the others.
	Unbound []Unbound
	More    int

	moved *splice
}

// Unbound is an item that stays as captured.
type Unbound struct {
	// Kind is the item's, in the words of @bind: "handle", "stateid".
	Kind string
	// Field is its key: "nfs4.putfh4args.object"; that of a struct ends at its type.
	Field string
	// Value is the item, its first 128 bytes at most.
	Value []byte
	// Reason says why, as a sentence without subject: "was given by no reply".
	Reason string
}

// A Verdict says how to go on after a live reply.
type Verdict struct {
	// Retry says that the live server asks to wait and send the call again, which
	// the captured one did not: NFS4ERR_GRACE, NFS4ERR_DELAY, NFS3ERR_JUKEBOX
	// (@retry). Call.Again has the bytes to send then.
	Retry bool
	// Status is the live reply's status by its name, "" if the result has none or
	// was not read; Captured that of the captured reply.
	Status, Captured string
	// Lacking is what the captured reply gave and the live one did not: calls
	// that use it will be Unbound.
	Lacking []Unbound
}

// A Difference is a value of a reply that is not what the captured reply has there.
type Difference struct {
	// Path leads to the value: "resarray[2].opgetattr.resok4.obj_attributes.attr_vals.size".
	Path string
	// Key is the field's, as in filters.
	Key string
	// Captured and Live are the values in words, as -V writes them; "absent" where
	// one of the replies has no such value.
	Captured, Live string
}
