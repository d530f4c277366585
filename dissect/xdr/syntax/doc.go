// Package syntax reads XDR language (RFC 4506, section 6; RFC 5531, section 12) as it is
// written: what each declaration says and where it says so, but not yet what it means.
//
//	text ──scanner──> tokens ──Parser.Next──> Decl   const, typedef, program,
//	         │                                  │    enum, struct, union
//	         └─────> comments ──────────────────┴──> Notes, Doc
//
//	struct READ4args {          Type{Form: Struct, Name: "READ4args", Fields: {
//	    stateid4 stateid;           {"stateid", Type{Form: Reference, Word: "stateid4"}},
//	    offset4  offset;            {"offset", Type{Form: Reference, Word: "offset4"}},
//	    opaque   data<>;            {"data", Type{Form: Opaque},
//	        // @eligible             Notes: {{Name: "eligible"}}},
//	};                          }}
//
// Texts as they are published are taken: with the words of C that rpcgen takes, #define
// with a number, parts for one output of rpcgen (#ifdef RPC_HDR), lines that it passes
// on (%). What a note looks like is known here, since a comment may hold any other @;
// which thing a note may be about is package types' matter, like whether names are
// declared.
//
// Texts may come from strangers: their length and how deep types nest are bounded, and
// what is wrong is an Error with its line and column.
package syntax
