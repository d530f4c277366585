package rpc

// rpcbind maps programs to addresses; version 2 is the port mapper (RFC 1833).
var rpcbind = program{
	number: ProgramRPCBind,
	name:   "rpcbind",
	procedures: [maxVersion + 1][]string{
		2: rpcbind2[:],
		3: rpcbind3[:],
		4: rpcbind4[:],
	},
}

var rpcbind2 = [...]string{
	0: "NULL",
	1: "SET",
	2: "UNSET",
	3: "GETPORT",
	4: "DUMP",
	5: "CALLIT",
}

var rpcbind3 = [...]string{
	0: "NULL",
	1: "SET",
	2: "UNSET",
	3: "GETADDR",
	4: "DUMP",
	5: "CALLIT",
	6: "GETTIME",
	7: "UADDR2TADDR",
	8: "TADDR2UADDR",
}

var rpcbind4 = [...]string{
	0:  "NULL",
	1:  "SET",
	2:  "UNSET",
	3:  "GETADDR",
	4:  "DUMP",
	5:  "BCAST",
	6:  "GETTIME",
	7:  "UADDR2TADDR",
	8:  "TADDR2UADDR",
	9:  "GETVERSADDR",
	10: "INDIRECT",
	11: "GETADDRLIST",
	12: "GETSTAT",
}
