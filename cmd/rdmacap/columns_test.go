package main

import (
	"strings"
	"testing"
)

// Rows show any fields of filters in place of their own columns.
func TestReadColumns(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string // a line each
	}{
		{"--columns rpc.xid,nfs.op,nfs.name,rpc.latency,rpc.auth,rpc.call.length", []string{
			"     18    13.146346  #1    192.0.2.2 → 192.0.2.1  0xc92d105d  CREATE            small                 42.3 ms  AUTH_SYS               136",
			"     28    13.950932  #1    192.0.2.2 → 192.0.2.1  0xd22d105d  WRITE             -                     94.3 ms  AUTH_SYS            262256",
		}},
		{"--level message --columns rdma.handle,rdma.segment_length,rdma.reply", []string{
			"    117    12.695658  #1    192.0.2.2 → 192.0.2.1  0x00000c81,0x00000b81,0x00000ab7          256,28672,4  true",
		}},
		{"--level frame --columns ip.src,frame.time,bth.psn", []string{
			"     97    12.286165  #1    192.0.2.2 → 192.0.2.1  192.0.2.2         2026-11-21T01:38:42.360564000Z   2242716",
		}},
	} {
		args := append(strings.Fields("read -q --workers 1 "+c.args), sample("rxe-basic"))
		out := must(t, args...)
		for _, want := range c.want {
			if !strings.Contains(out, want+"\n") {
				t.Errorf("%s: no row %q", c.args, want)
			}
		}
		args[3] = "3"
		if with := must(t, args...); with != out {
			t.Errorf("%s: other rows with three workers", c.args)
		}
	}
}

// What is wrong with a list of fields is said, with what was meant.
func TestReadColumnsWrong(t *testing.T) {
	for args, want := range map[string]string{
		"--columns rpc.latncy":                  "did you mean rpc.latency?",
		"--columns rpc.xid,":                    `"" is no field`,
		"--columns bth.psn":                     "add --level frame",
		"--columns rpc.xid --format json":       "--columns is for --format text",
		"--columns rpc.xid==1 --level message":  "rpc.xid",
		"--columns rdma.xid --format=ndjson -x": "--columns is for --format text",
	} {
		r := rdmacap(append(strings.Fields("read "+args), sample("rxe-basic"))...)
		if r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%s: status %d, %q, want %q", args, r.status, r.err, want)
		}
	}
}
