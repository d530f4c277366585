package rpc

// nfs is the Network File System: RFC 1094, 1813 and 7530 to 7862.
var nfs = program{
	number: ProgramNFS,
	name:   "NFS",
	procedures: [maxVersion + 1][]string{
		2: nfs2[:],
		3: nfs3[:],
		4: nfs4[:],
	},
}

var nfs2 = [...]string{
	0:  "NULL",
	1:  "GETATTR",
	2:  "SETATTR",
	3:  "ROOT",
	4:  "LOOKUP",
	5:  "READLINK",
	6:  "READ",
	7:  "WRITECACHE",
	8:  "WRITE",
	9:  "CREATE",
	10: "REMOVE",
	11: "RENAME",
	12: "LINK",
	13: "SYMLINK",
	14: "MKDIR",
	15: "RMDIR",
	16: "READDIR",
	17: "STATFS",
}

var nfs3 = [...]string{
	0:  "NULL",
	1:  "GETATTR",
	2:  "SETATTR",
	3:  "LOOKUP",
	4:  "ACCESS",
	5:  "READLINK",
	6:  "READ",
	7:  "WRITE",
	8:  "CREATE",
	9:  "MKDIR",
	10: "SYMLINK",
	11: "MKNOD",
	12: "REMOVE",
	13: "RMDIR",
	14: "RENAME",
	15: "LINK",
	16: "READDIR",
	17: "READDIRPLUS",
	18: "FSSTAT",
	19: "FSINFO",
	20: "PATHCONF",
	21: "COMMIT",
}

var nfs4 = [...]string{
	0: "NULL",
	1: "COMPOUND",
}
