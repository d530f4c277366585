package rpc

// mount is the MOUNT protocol: RFC 1094, appendix A, and RFC 1813, section 5.
// Version 1 ends before PATHCONF, version 3 before EXPORTALL.
var mount = program{
	number: ProgramMount,
	name:   "MOUNT",
	procedures: [maxVersion + 1][]string{
		1: mount2[:7],
		2: mount2[:],
		3: mount2[:6],
	},
}

var mount2 = [...]string{
	0: "NULL",
	1: "MNT",
	2: "DUMP",
	3: "UMNT",
	4: "UMNTALL",
	5: "EXPORT",
	6: "EXPORTALL",
	7: "PATHCONF",
}
