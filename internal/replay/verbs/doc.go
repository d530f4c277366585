// Package verbs is the only door to libibverbs and librdmacm. The libraries are loaded when
// they are first needed, without cgo: a program that has this package starts on a machine
// without them, and says then what is missing. With the build tag noverbs the door is left out,
// and the program does not need glibc either.
//
// What C sees lies in memory of its own (arena), since a device reads and writes it long
// after a call. The layouts of the C structures are offsets, in layout.go; tests run all calls
// against libraries of their own that are built with the installed headers and refuse what
// does not fit.
//
//	capture/sniffer ──(Port)──> Sniffer ──> library ──> libibverbs.so.1 ──> the device
//
//	replay/transport ──(Provider)──> Dial, Listen ──> identifier ──> librdmacm.so.1
//	                 <─(Connection)─ connection
//	                   post:  Send, Read, Write, Bind ──> queue pair
//	                   Next:  <── completion queue, its channel    ┐ both wait in
//	                   watch: <── identifier, its event channel    ┘ Go's netpoller
//
// A connection ends by whichever of these two tells first: Soft-RoCE reports a broken queue
// pair by completions, and by no event before somebody disconnects; Soft-iWARP reports a
// peer's Terminate by an event, and by no completion before this side disconnects. Either way
// end disconnects, all that is under way is completed as flushed, and Next then says why.
package verbs
