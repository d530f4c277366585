package rpc

// nfsacl is the side protocol for POSIX ACLs that Solaris and Linux share; it
// has no specification of its own. Version 3 ends before GETATTR.
var nfsacl = program{
	number: ProgramNFSACL,
	name:   "NFSACL",
	procedures: [maxVersion + 1][]string{
		2: nfsacl2[:],
		3: nfsacl2[:3],
	},
}

var nfsacl2 = [...]string{
	0: "NULL",
	1: "GETACL",
	2: "SETACL",
	3: "GETATTR",
	4: "ACCESS",
}
