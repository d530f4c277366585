package scene

import "testing"

// TestErrors holds that what is wrong with a text is reported with its line.
func TestErrors(t *testing.T) {
	for _, tt := range []struct{ text, err string }{
		{"conect", "line 1: conect is no statement"},
		{"  connect", "line 1: an indented line belongs to the statement above, and there is none"},
		{"connect\ncall", "line 2: the call's number is missing"},
		{"call 1", "line 1: a program is missing"},
		{"call 1 NFS", `line 1: "NFS" is no program with its version, as NFS3 is (NFS, MOUNT, NLM, NSM, NFSACL, RPCBIND, CB)`},
		{"call 1 NFS5 READ", "line 1: NFS has no version 5"},
		{"call 1 NFS3 REED", "line 1: NFS_V3 has no procedure REED"},
		{"call 1 NFS3 READ\n    rite 1 2", "line 2: rite is no option here"},
		{"call 1 NFS3 READ fil=\"fh\"", "line 1: READ3args has no field fil"},
		{"call 1 NFS3 READ file=7", "line 1: data is of type opaque<64>"},
		{"call 1 NFS3 READ count=\"x\"", "line 1: count is of type count3"},
		{"call 1 NFS3 READ count=x", `line 1: count: "x" is no value of count3`},
		{"call 1 NFS3 READ count=0x100000000", `line 1: count: "0x100000000" does not fit 32 bits`},
		{"call 1 NFS3 WRITE stable=SYNC", `line 1: stable: "SYNC" is no value of stable_how`},
		{"call 1 NFS3 READ\n    read 1 2", "line 2: no eligible item is left to move: say at what"},
		{"call 1 NFS3 WRITE data=bytes(9)\n    read 1 9 at item 2", "line 2: the message has no eligible item 2"},
		{"call 1 NFS3 WRITE data=bytes(9)\n    read 1 9 at dat", "line 2: the message has no opaque data named dat"},
		{"call 1 NFS3 READ\n    write 5", "line 2: a length is missing"},
		{"call 1 NFS3 READ\n    set 400 1", "line 2: 400 is no place in a Send of 112 bytes"},
		{"call 1 NFS3 READ\n    want X write1", "line 2: write1 is no place in 112 bytes"},
		{"call 1 NFS3 READ\n    drop frame 3", "line 2: the statement made 2 frames"},
		{"call 1 NFS3 READ\n    flip 4000", "line 2: byte 4000 lies outside its frame, which has 170"},
		{"call 1 NFS3 WRITE data=bytes(9)\n    read 1 9 at -400", "line 2: the Position would be -308"},
		{"connect\nsnap 60\n    drop", "line 3: the statement made no frame"},
		{"connect\nsnap 60\n    noack", "line 3: snap has no option noack"},
		{"reply 1", "line 1: there is no call 1"},
		{"call 1 NFS3 READ\n  write 1 4\nreply 1 data=bytes(5)", "line 3: 5 bytes do not fit the chunk, which lacks 1: see place and returns"},
		{"call 1 NFS3 READ\nreply 1 NFS3ERR_IO data=bytes(5)", "line 2: READ3res has no field data"},
		{"connect client=5", `line 1: "5" is no private data, as 4096/4096, 1024/1024,inv and none are`},
		{"connect pmtu=1000", "line 1: pmtu is a power of two"},
		{"connect\nsegments client 5", "line 2: segments is a statement about iWARP"},
		{"connect\nwait", "line 2: a duration, as 50ms is missing"},
		{"call 1 NFS3 READ [", "line 1: a bracket is not closed"},
		{"call 1 NFS3 READ ]", "line 1: ] closes nothing"},
		{"call 1 NFS3 READ file=\"fh", "line 1: a text is not closed, or has a wrong escape"},
		{"call 1 NFS3 READ file=bytes(2000000)", "line 1: bytes of 2000000 is more than 1048576"},
		{"want X", "line 1: a finding is wanted before there is a connection"},
		{"on B", "line 1: there is no connection B"},
		{"connect version=3", "line 1: version is 1 to 2"},
		{"version 3", "line 1: a version is 1 or 2: see the option vers"},
		{"optional 1 client", "line 1: a name or number is missing"},
		{"optional 1 client REQ_XCHAR [SIZ=1]", `line 1: "SIZ" is no number and none of [RBSIZ RQREMINV BRS]`},
		{"optional 1 client REQ_XCHAR [RBSIZ=9", "line 1: a bracket is not closed"},
		{"optional 1 client RESP_XCHAR done=[5000]", "line 1: element 5000: a subset has elements 0 to 4095"},
		{"optional 1 client 9\n    read 1 1", "line 1: an OPTIONAL has no chunks and no RPC header: see the option optional of call"},
		{"optional 1 client 9\n    want X xchar1", "line 2: xchar1 is no place in 28 bytes"},
		{"error 1 BAD_XDR", "line 1: there is no call 1"},
	} {
		_, err := Play(tt.text, RoCE)
		if err == nil || err.Error() != tt.err {
			t.Errorf("%q: %v, not %s", tt.text, err, tt.err)
		}
	}
}
