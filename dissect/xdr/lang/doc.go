// Package lang reads XDR language (RFC 4506, section 6; RFC 5531, section 12)
// and then the octets of what it describes.
//
//	texts ──ParseAll──> Spec ──Plan──> Plan ──> Route of a procedure's arguments or result
//	                                              │
//	              ┌───────────────────────────────┴───────────────┐
//	    Walker.Walk(route, octets)                      Route.Nodes(octets)
//	    events: marked values, eligible items,          the tree of every field,
//	    operations, statuses; no allocation             for what someone looks at
//
// A Spec is what the texts declare. A Plan is a Spec with marks on the fields
// that somebody wants to know: those that summaries name, and those that the
// caller does. From them it makes a Route for a procedure's arguments or result
// when it is first asked for: runs of octets that nobody asks about are passed
// over in one step.
//
//	struct READ4args {           Route, with a mark on count:
//	    stateid4 stateid;        ┐
//	    offset4  offset;         ┴ skip 24 octets
//	    count4   count;            word, mark 0
//	};
//
// # Reduced streams
//
// RPC-over-RDMA takes the data of some items out of the stream and carries it
// in chunks (RFC 8166, section 3.4). The length word stays, data and pad go:
//
//	unreduced  | stateid ... | offset | count | length | data           | pad |
//	                                                   ^ Position of the Read chunk
//	inline     | stateid ... | offset | count | length |
//
// The Walker is told which chunks there are (Reduction) and keeps both offsets
// as it goes: that of the inline octets, and the Position in the unreduced
// stream.
//
// Of the Write chunks of a reply, chunk k belongs to eligible item k, which is
// inline if the chunk has the length 0. Where that leads to a fault or to octets
// left over, a second reading passes over chunks of length 0 (Walker.Skipped):
//
//	chunks     | 0 | 4096 |
//	usual      item 0 inline, item 1 in chunk 1
//	skipping   item 0 in chunk 1
//
// # Opaque data that hold items
//
// Where a note says what opaque data hold, the Walker goes over that too, marks or
// not. What is wrong or unknown in there ends it and is told in Walker.Inside: it
// is no fault of the stream, which goes on behind the data.
//
// # Notes
//
// What XDR language cannot say stands in comments, so that other compilers
// still take the text. A note is @name and its arguments. It is about what it
// stands at: the declaration in whose lines it is, or else the next one; behind
// the { of a body, about the whole. Several may stand in one comment.
//
//	@eligible [REFERENCE]
//	    at an opaque<> or string<>: the item is DDP-eligible. In arguments it
//	    may travel in a Read chunk, in results in a Write chunk. The reference
//	    goes on to the end of the line: @eligible RFC 8267 section 6.2
//	@status NAME
//	    at an enum: it is the status of an operation wherever it comes first
//	    in a procedure's or an operation's result, and NAME means success. At
//	    the first field of a struct, or anywhere in a union (then it is about
//	    the discriminant): so only there.
//	@summary "TEMPLATE"
//	    at a struct, union or typedef: a line about a value of the type. Strings
//	    that follow each other are one.
//	@as FORMAT
//	    at a field or a type: how values are written for a person. FORMAT is
//	    decimal, hex, octal, handle (opaque data as its CRC-32, the hash that
//	    Wireshark shows), time (seconds since 1970, with nanoseconds in a
//	    struct of two), timeval (the same with microseconds), seconds, octets,
//	    text, count (only how many), ipv4, ipv6, uuid, flags ENUM (the values
//	    of ENUM are bits), or bits ENUM (they number bits: those of an integer,
//	    or of a bitmap such as bitmap4)
//	@prefix TEXT
//	    at an enum: what summaries and filters leave out of its names (OP_)
//	@attributes UNION
//	    at an opaque<> behind a bitmap (unsigned int<>) in the same struct: for
//	    each bit that is set the octets hold the value of that arm of UNION
//	@contains TYPE, @contains UNION by FIELD
//	    at an opaque<>: the octets hold a value of TYPE, or of the arm of UNION
//	    that FIELD, before it in the same struct, selects
//
// An array in the struct of a procedure's arguments or result, of unions that
// an enum selects, holds operations: COMPOUND4args.argarray. No note is needed.
// An operation does not hold operations.
//
// # Templates
//
// A template is literal text with places for values. A place names a field of
// the type, with dots to go deeper; it goes through optional data, into the
// elements of arrays (the first one counts) and into the content of opaque<>.
//
//	{offset}             the value as @as says, an enum's name without its
//	                     @prefix, TRUE or FALSE, text in quotes
//	{offset:hex}         the value in another format
//	{.}                  the value itself, where the type is not a struct or
//	                     union
//	{resok.eof?}         nothing, but a condition: the value is there and is
//	                     not 0, FALSE or empty
//	{resok.eof!}         nothing, but a condition: the value is there and is
//	                     0, FALSE or empty
//	[, {count} octets]   shown only if every place in it has a value and every
//	                     condition holds
//	{where}              a struct or union that has a @summary: that summary
//	{argarray}           an array of operations: each one's name and summary
//	{entries}            an array or list: how many elements it has
//	\{ \[ \" \\          the character itself
//
// As in
//
//	/* @summary "{status}[, {resok.count} octets][, eof{resok.eof?}]" */
//	union READ3res switch (nfsstat3 status) { ... };
//
// # Keys
//
// A field's key is the prefix of its text, the type that declares the field,
// and the field, in lower case: "nfs.read3args.offset", "nfs.fattr3.size". So it
// is the same wherever a value of the type stands, and the list of keys is
// finite. In a type without a name the key goes on from the field or typedef
// that it belongs to.
//
// # What is never said
//
// The octets come from strangers. What is wrong with them is a field.Fault with
// its octet; after one nothing more is reported. How deep values nest, how
// many elements an array has and how many events there are is bounded.
package lang
