package rpc

// nlm is the Network Lock Manager (XNFS, chapters 10 and 14; RFC 1813, section 6).
// Versions 1 and 2 end before SHARE.
var nlm = program{
	number: ProgramNLM,
	name:   "NLM",
	procedures: [maxVersion + 1][]string{
		1: nlm3[:16],
		2: nlm3[:16],
		3: nlm3[:],
		4: nlm3[:],
	},
}

var nlm3 = [...]string{
	0:  "NULL",
	1:  "TEST",
	2:  "LOCK",
	3:  "CANCEL",
	4:  "UNLOCK",
	5:  "GRANTED",
	6:  "TEST_MSG",
	7:  "LOCK_MSG",
	8:  "CANCEL_MSG",
	9:  "UNLOCK_MSG",
	10: "GRANTED_MSG",
	11: "TEST_RES",
	12: "LOCK_RES",
	13: "CANCEL_RES",
	14: "UNLOCK_RES",
	15: "GRANTED_RES",
	20: "SHARE",
	21: "UNSHARE",
	22: "NM_LOCK",
	23: "FREE_ALL",
}
