// Package query has what there is to say of frames, messages and RPCs: one table of
// fields (Field) for each level, with how to get their values, and what uses it.
//
//	Sets ──Compile──> Query ──Frame, Message, RPC──> shown or not
//	  │ ├──Columns──> Columns ──AppendTo──> columns of rows
//	  │ └──Fields, Numbers──> columns of the page
//	RPCMembers, MessageMembers, FrameMembers, ConnectionMembers ──Value──> JSON records, docs/json.md
//
// What a Query or Columns need of arguments and results, their Keys, is for
// dissect.Bindings.Ask.
//
// The fields of a frame are those of the tables of all headers (bth.psn,
// tcp.srcport, ddp.tagged.stag), what following its connection gave, and the
// fields of the message that it completes. Those of an RPC are the fields of its
// two messages, what the two make together (rpc.latency), every field of the
// texts in XDR language (nfs3.read3args.offset), and some that gather fields of
// several versions (nfs.fh).
//
// A value is worked out when somebody asks for it: a header is looked for, and
// arguments are walked over, only for a field that an expression or a list names,
// and in an expression only if what stands before it does not settle the answer.
// Nothing is allocated for a row but by fields of TCP options (see linkHeader).
package query
