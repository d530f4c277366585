// Package verbs is the only door to libibverbs. The library is loaded when it is first
// needed, without cgo: a program that has this package starts on a machine without
// it, and says then what is missing. With the build tag noverbs the door is left out, and
// the program does not need glibc either.
//
// What C sees lies in memory of its own (arena), since a device reads and writes it long
// after a call. The layouts of the C structures are offsets, in layout.go; a test holds
// them against the installed headers, and another runs all calls against a library of its own
// that is built with these.
//
//	capture/sniffer ──(Port)──> Sniffer ──> library ──> libibverbs.so.1 ──> the device
package verbs
