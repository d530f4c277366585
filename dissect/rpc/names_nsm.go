package rpc

// nsm is the Network Status Monitor (XNFS, chapter 11).
var nsm = program{
	number: ProgramNSM,
	name:   "NSM",
	procedures: [maxVersion + 1][]string{
		1: nsm1[:],
	},
}

var nsm1 = [...]string{
	0: "NULL",
	1: "STAT",
	2: "MON",
	3: "UNMON",
	4: "UNMON_ALL",
	5: "SIMU_CRASH",
	6: "NOTIFY",
}
