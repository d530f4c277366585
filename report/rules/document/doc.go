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
// What else stands in a head are conditions (package own). A long value continues in indented lines; a line of the head that begins with # is a
// comment. Samples come last. Each begins with a connect and ends with a disconnect that
// need not be written: one that begins with connect or setup, or ends with a disconnect
// that says more, does without. Words in brackets say what is out of the plain:
//
//	RoCE, iWARP       it makes sense over that transport only
//	version 2         the connect that is not written speaks that version
//	no connect        the capture begins late
//	no disconnect     the connection stays open, or ends otherwise
//	based on NAME     it continues where the scene of that name ends
//
// A scene that several samples begin with stands in a section of its own, == scene NAME:
// it begins and ends with nothing but what is written.
//
// Prose is read at once, samples when somebody asks for them: most runs never do.
package document
