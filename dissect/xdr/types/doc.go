// Package types reads what texts in XDR language (RFC 4506, section 6; RFC 5531,
// section 12) declare: programs with their procedures, types with their fields and the
// names of their values, and what notes in comments say of them. Everything is checked,
// so that who takes a Spec need not.
//
//	texts ──ParseAll──> Spec ──> Program ──> Version ──> Procedure
//	                      │                              Args, Result
//	                      └────> Type <─────────────────────┘
//	                              │ Fields, Elem      as the bytes have them
//	                              │ Names             of an enum's values
//	                              └ As, Summary       for people
//
// How to go over bytes by a type is package walk's matter, how a value is shown to a
// person package view's.
//
// # Notes
//
// What XDR language cannot say stands in comments, so that other compilers
// still take the text. A note is @name and its arguments. It is about what it
// stands at: the declaration in whose lines it is, or else the next one; after
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
//	@rank NUMBER
//	    at a value of an enum that selects operations: a COMPOUND is called after the
//	    one of its operations with the highest rank, the last of several. NUMBER is
//	    from 0 to 255, which is also the rank without a note.
//	@summary "TEMPLATE"
//	    at a struct, union or typedef: a line about a value of the type. Strings
//	    that follow each other are one.
//	@as FORMAT
//	    at a field or a type: how values are written for a person. FORMAT is
//	    decimal, hex, octal, handle (opaque data as its CRC-32, the hash that
//	    Wireshark shows), time (seconds since 1970, with nanoseconds in a
//	    struct of two), timeval (the same with microseconds), seconds, bytes,
//	    text, count (only how many), ipv4, ipv6, uuid, flags ENUM (the values
//	    of ENUM are bits), or bits ENUM (they number bits: those of an integer,
//	    or of a bitmap such as bitmap4)
//	@prefix TEXT
//	    at an enum: what summaries and filters leave out of its names (OP_)
//	@bind KIND, @bind KIND by FIELD, FIELD
//	    at a field or a type: the item is given by one side and repeated by the other,
//	    so that it is another one with another server; a replay replaces it. KIND is
//	    handle, stateid (a struct of a sequence number and opaque[n]), client,
//	    session, slot, verifier, cookie (within one directory), device, owner (of a
//	    client), name (of the element of a list that it stands in), none (as at
//	    one field of a type that is bound), or a number that counts calls:
//	    sequence (those that succeed) or seqid (all but those that fail with a
//	    status which is @unsequenced) by the fields of the same struct that say
//	    what it counts
//	@varies
//	    at a field or a type: the value differs between any two servers, as times do
//	    and free space; replies that are compared may differ here
//	@retry, @unsequenced
//	    at a value of an enum that is a status: the call may be retried after a
//	    while; a call that fails so has not used up its seqid
//	@attributes UNION
//	    at an opaque<> after a bitmap (unsigned int<>) in the same struct: for
//	    each bit that is set the bytes hold the value of that arm of UNION
//	@contains TYPE, @contains UNION by FIELD
//	    at an opaque<>: the bytes hold a value of TYPE, or of the arm of UNION
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
//	[, {count} bytes]   shown only if every place in it has a value and every
//	                     condition holds
//	{where}              a struct or union that has a @summary: that summary
//	{argarray}           an array of operations: each one's name and summary
//	{entries}            an array or list: how many elements it has
//	\{ \[ \" \\          the character itself
//
// As in
//
//	/* @summary "{status}[, {resok.count} bytes][, eof{resok.eof?}]" */
//	union READ3res switch (nfsstat3 status) { ... };
//
// # Keys
//
// A field's key is the prefix of its text, the type that declares the field,
// and the field, in lower case: "nfs.read3args.offset", "nfs.fattr3.size". So it
// is the same wherever a value of the type stands, and the list of keys is
// finite. In a type without a name the key continues from the field or typedef
// that it belongs to.
package types
