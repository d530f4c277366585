// Package query joins the filter language to what a dissect.Dissector finds: it
// says which fields frames, messages and RPCs have, and gives their values.
//
//	expression ──Sets.Compile──> Query ──Keys──> dissect.Bindings.Ask
//	                               │
//	dissect.Dissector ──Sink──> Query.Frame, Message, RPC ──> shown or not
//
// The fields of a frame are those of the tables of all headers (bth.psn,
// tcp.srcport, ddp.tagged.stag), what following its connection gave, and the
// fields of the message that it completes. Those of an RPC are the fields of its
// two messages, what the two make together (rpc.latency), every field of the
// texts in XDR language (nfs3.read3args.offset), and some that gather fields of
// several versions (nfs.fh).
//
// A value is worked out when a filter asks for it: a header is looked for, and
// arguments are walked over, only for a field that the expression names, if what
// stands before it does not settle the answer. Nothing is allocated for a row
// but by fields of TCP options (see linkHeader).
package query
