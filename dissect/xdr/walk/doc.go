// Package walk goes over bytes by their types in XDR language, fast, and reports what
// somebody wants to know of them.
//
//	types.Spec ──NewPlan──> Plan ──> Route of a procedure's arguments or result
//	                                   │
//	    bytes, what chunks took out ──┴──Walker.Walk──> events: marked values,
//	                                                     DDP-eligible items, operations,
//	                                                     statuses; no allocation
//
// A Plan is a Spec with marks on the fields that somebody wants to know: those that
// summaries name, and those that the caller does. From them it makes a Route for a
// procedure's arguments or result when it is first asked for: runs of bytes that
// nobody asks about are passed over in one step.
//
//	struct READ4args {           Route, with a mark on count:
//	    stateid4 stateid;        ┐
//	    offset4  offset;         ┴ skip 24 bytes
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
// The Walker is given the chunks (Reduction) and keeps both offsets
// as it goes: that of the inline bytes, and the Position in the unreduced
// stream. A Stream does that for any other reader of the same bytes.
//
// Of the Write chunks of a reply, chunk k belongs to eligible item k, which is
// inline if the chunk has the length 0. Where that leads to a fault or to bytes
// left over, a second reading passes over chunks of length 0 (Walker.Skipped):
//
//	chunks     | 0 | 4096 |
//	usual      item 0 inline, item 1 in chunk 1
//	skipping   item 0 in chunk 1
//
// # Opaque data that hold items
//
// Where a note says what opaque data hold, the Walker goes over that too, marks or
// not. What is wrong or unknown in there ends it and is in Walker.Inside: it
// is not a fault of the stream, which continues after the data.
//
// # What is never said
//
// The bytes come from strangers. What is wrong with them is a field.Fault with
// its byte; after one nothing more is reported. How deep values nest, how
// many elements an array has and how many events there are is bounded.
package walk
