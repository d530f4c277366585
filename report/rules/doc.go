// Package rules judges what package dissect found: whether the peers kept to
// the specifications. Each rule is a document and a check beside it, in the directory
// of its family; here is what they share. What several families know together is
// below know.
//
//	dissect.Dissector ──Frame, Message, Access, RPC──> Checker
//	                                                     │  one Conn a connection: its limitations, its memory
//	                                                     v
//	catalogue ──Rule.On──> tables, one for each Protocol
//	                         │  Knowledge first, then the rules in their order
//	                         v
//	                        Say ──> Finding ──folded, tied to causes──> Output
//
// A rule declares the events that it looks at, with what of them it needs to see (Event):
// nearly all frames and most messages are of no interest to nearly all rules. Who waits
// for what the next ones show says so (Conn.AwaitFrames, AwaitMessages, Remind). It declares
// its Limitations too: its functions ask these (limitations.go) whether the capture proves anything, keep
// what must be remembered of the connection (ConnSlot), and say what they found. Findings of a
// connection that are the same are one with a count; when the connection is over, each is
// hung under the one that explains it, and all go to the Output.
package rules
