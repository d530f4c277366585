package trans_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
)

// apart returns a capture as two mirror ports give it: what the server sends is
// later by d, or earlier. Files says that each port has a file of its own.
func apart(list []capture.Frame, d time.Duration, files bool) []capture.Frame {
	const mac = 6 // bytes
	client := string(list[0].Data[mac : 2*mac])
	list = slices.Clone(list)
	var count [2]int64
	for i := range list {
		f, file := &list[i], 0
		if string(f.Data[mac:2*mac]) != client {
			f.Time += int64(d)
			if files {
				file = 1
			}
		}
		count[file]++
		f.File, f.Number = int32(file), count[file]
	}
	slices.SortStableFunc(list, func(a, b capture.Frame) int { return int(a.Time - b.Time) })
	if !files {
		for i := range list {
			list[i].Number = int64(i + 1)
		}
	}
	return list
}

// Healthy peers whose directions are not captured in step are accused of nothing.
func TestSkew(t *testing.T) {
	scenes := map[string]string{
		"long Sends": `
			connect client=4096/4096 server=4096/4096
			call 1 NFS3 WRITE file="fh" count=1200 data=bytes(1200)
			reply 1
			call 2 NFS3 READ file="fh" count=2000
			reply 2 data=bytes(2000)
			disconnect`,
		"long callbacks": `
			connect client=4096/4096 server=4096/4096
			call 1 NFS4 NULL
			reply 1
			call 3 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
			reply 3
			callback 2 program=0x40000000 version=1 procedure=1 raw=bytes(1200)
			reply 2 raw=bytes(1200)
			disconnect`,
		"RDMA Reads one by one": `
			connect clientird=2 serverord=2
			call 1 NFS3 WRITE file="fh" data=bytes(300)
			    read 0x1001 100 0x1002 100 0x1003 100
			reply 1
			call 2 NFS3 WRITE file="fh" data=bytes(300)
			    read 0x1001 100 0x1002 100 0x1003 100
			reply 2
			disconnect`,
		"RDMA Reads and no reply": `
			connect clientird=2 serverord=8
			call 1 NFS3 WRITE file="fh" data=bytes(300)
			    read 0x1001 100 0x1002 100 0x1003 100
			disconnect`,
	}
	for name, text := range scenes {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			list := played(t, text, over)
			for _, d := range []time.Duration{20 * time.Microsecond, 50 * time.Microsecond, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond} {
				for _, files := range []bool{false, true} {
					for _, d := range []time.Duration{d, -d} {
						t.Run(fmt.Sprint(name, " ", over, " ", d, " ", files), func(t *testing.T) {
							for _, f := range ruletest.Check(t, families(), apart(list, d, files)) {
								if f.Severity == finding.Error {
									t.Errorf("%s frame %d: %s", f.ID(), f.Frame.Number, f.Message)
								}
							}
						})
					}
				}
			}
		}
	}
}

// What is wrong is found all the same where the directions are a little apart.
func TestWrongInSpiteOfSkew(t *testing.T) {
	for id, text := range map[string]string{
		"TRANS-013a": `
			connect
			call 1 NFS3 NULL
			reply 1
			fpdu server tagged opcode=2 stag=0x9999 to=0 payload=bytes(64)
			call 2 NFS3 NULL
			reply 2
			disconnect`,
		"THRESH-001": `
			connect client=4096/4096 server=none
			call 1 NFS3 WRITE data=bytes(1200) count=1200
			reply 1
			disconnect`,
	} {
		list := played(t, text, scene.IWARP)
		for _, d := range []time.Duration{0, time.Millisecond, -15 * time.Microsecond} {
			if got := of(ruletest.Check(t, families(), apart(list, d, false)), id); len(got) != 1 {
				t.Errorf("%v apart: %s is found %d times", d, id, len(got))
			}
		}
	}
}

// A requester that waits as the RNR NAK says is not accused, however far the directions are apart.
func TestRNRTimerInSpiteOfSkew(t *testing.T) {
	list := played(t, `
		connect serverrnrretry=7 acktimeout=18
		call 1 NFS3 NULL
		reply 1
		call 2 NFS3 GETATTR
		    noack
		rnr server 14
		wait 1290us
		resend 2
		reply 2
		disconnect`, scene.RoCE)
	for _, d := range []time.Duration{0, 20 * time.Microsecond, 200 * time.Microsecond, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond} {
		for _, d := range []time.Duration{d, -d} {
			for _, files := range []bool{false, true} {
				if got := of(ruletest.Check(t, families(), apart(list, d, files)), "TRANS-003c"); len(got) != 0 {
					t.Errorf("%v apart, files %v: %s", d, files, got[0].Message)
				}
			}
		}
	}
}
