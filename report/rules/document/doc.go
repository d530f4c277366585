// Package document reads the text of a rule: what its findings are called and how grave
// they are, what they mean, and the captures that it is tried on. The check itself is Go
// for the rules that ship, and conditions for those that a user writes.
//
//	id: HDR-008                                    the head: KEY: VALUE
//	title: RDMA_MSGP Position field incorrect
//	severity: warning                              error, warning or note
//	since: 0.7
//	reference: RFC 8166, section 4.4
//	causes: SYM-006b, THRESH-010                   rules that explain its findings
//	wide: yes                                      they are about the connection
//	replaced: SYM-001                              rules that say the same better, where both find something
//	usual: yes                                     Linux peers have its notes; or of cases above: a, b
//	case a (error): the Position is not a multiple of the alignment
//	advice a: What to do about case a, where the advice below does not fit.
//
//	== meaning                                     prose: one paragraph each of
//	What a finding means, in whole sentences.      meaning, why, advice, limits
//
//	== fires: what happens in it                   samples, as package internal/scene
//	call 1 NFS3 NULL                               plays them
//	    credits 0
//	    want CREDIT-003
//
//	== silent (iWARP, version 2): what is innocent
//	...
//
// What else stands in a head are conditions (package own). A long value continues in indented lines; a line
// of the head that begins with # is a comment. Samples come last; docs/scene.md describes their headings,
// what is added at their ends, and the scenes that several of them begin with.
//
// Prose is read at once, samples when somebody asks for them: most runs never do.
package document
