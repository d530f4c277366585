package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// rec is a JSON record, for tests by hand.
type rec map[string]any

func (r rec) str(name string) string { s, _ := r[name].(string); return s }

func (r rec) num(name string) float64 {
	if n, ok := r[name].(float64); ok {
		return n
	}
	return -1
}

// in is the member of that name, which is an object, an empty one if it is null.
func (r rec) in(name string) rec { m, _ := r[name].(map[string]any); return m }

func (r rec) list(name string) (list []rec) {
	all, _ := r[name].([]any)
	for _, v := range all {
		if m, ok := v.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// op reports whether an RPC has an operation.
func (r rec) op(name string) bool {
	return slices.ContainsFunc(r.list("ops"), func(o rec) bool { return o.str("op") == name })
}

// status reports whether an RPC, or an operation of it, has a status.
func (r rec) status(name string) bool {
	return r.str("nfs_status") == name || slices.ContainsFunc(r.list("ops"), func(o rec) bool { return o.str("status") == name })
}

// handles are the handles of all segments of a message.
func (r rec) handles() (list []string) {
	for _, chunk := range append(append(r.list("reads"), r.list("writes")...), r.in("reply")) {
		for _, s := range chunk.list("segments") {
			list = append(list, s.str("handle"))
		}
	}
	return list
}

// picks are filters, and by hand what they pick of the records of a sample.
var picks = []struct {
	sample, level, filter string
	want                  func(r rec) bool
	some                  bool // the sample has some such
}{
	{"rxe-basic", "rpc", `nfs.op == READ and rpc.latency > 10ms`, func(r rec) bool { return r.op("READ") && r.num("latency_ns") > 10e6 }, true},
	{"siw-basic", "rpc", `nfs.op == READ and rpc.latency > 10ms`, func(r rec) bool { return r.op("READ") && r.num("latency_ns") > 10e6 }, true},
	{"rxe-basic", "rpc", `rdma.reads.count > 1`, func(r rec) bool { return len(r.in("call").list("reads")) > 1 }, false},
	{"rxe-krb", "rpc", `rdma.reads.count >= 1`, func(r rec) bool { return len(r.in("call").list("reads")) > 0 }, true},
	{"rxe-basic", "rpc", `nfs.status == NFS4ERR_NOENT`, func(r rec) bool { return r.status("NFS4ERR_NOENT") || r.status("NFS3ERR_NOENT") }, true},
	{"rxe-basic", "rpc", `nfs.status and not nfs.status in {NFS4_OK}`, func(r rec) bool {
		return r.str("nfs_status") != "" && !r.status("NFS4_OK") && !r.status("NFS3_OK") && !r.status("MNT3_OK")
	}, true},
	{"siw-loss", "rpc", `not rpc.complete`, func(r rec) bool { return r["complete"] == false }, false},
	{"rxe-loss", "rpc", `rpc.complete`, func(r rec) bool { return r["complete"] == true }, true},
	{"rxe-cb", "rpc", `rpc.reverse and rpc.program == "NFS callback"`, func(r rec) bool { return r["reverse"] == true }, true},
	{"rxe-cb", "rpc", `direction == to_client`, func(r rec) bool { return r["reverse"] == true }, true},
	{"rxe-krb", "rpc", `rpc.gss.service == integrity`, func(r rec) bool { return r.str("gss_service") == "integrity" }, true},
	{"rxe-krb", "rpc", `rpc.auth == RPCSEC_GSS and rpc.gss.proc != RPCSEC_GSS_DATA`, func(r rec) bool {
		return r.str("auth") == "RPCSEC_GSS" && r.str("gss_proc") != "RPCSEC_GSS_DATA"
	}, true},
	{"rxe-basic", "rpc", `rpc.procedure == READ or rpc.procedure == 1 and rpc.version == 4`, func(r rec) bool {
		return r.str("procedure_name") == "READ" || r.num("procedure") == 1 && r.num("version") == 4
	}, true},
	{"rxe-basic", "rpc", `rpc.status == SUCCESS and rpc.transfer == long`, func(r rec) bool {
		return r.str("status") == "SUCCESS" && (r.in("call").str("transfer") == "long" || r.in("reply").str("transfer") == "long")
	}, true},
	{"rxe-basic", "rpc", `rpc.rdma_write_bytes > 64k or rpc.rdma_read_bytes > 64k`, func(r rec) bool {
		return r.num("rdma_write_bytes") > 64e3 || r.num("rdma_read_bytes") > 64e3
	}, true},
	{"rxe-basic", "rpc", `rpc.call.length > 1k and rpc.reply.length < 1KiB`, func(r rec) bool {
		return r.in("call").num("rpc_length") > 1000 && r.in("reply").num("rpc_length") < 1024 && r.in("reply").num("rpc_length") > 0
	}, true},
	{"rxe-basic", "rpc", `connection == 2 and rdma.call.credits >= 64`, func(r rec) bool {
		return r.num("connection") == 2 && r.in("call").num("credits") >= 64
	}, true},
	{"rxe-thresh", "rpc", `rdma.reply.invalidated`, func(r rec) bool { return r.in("reply")["invalidated"] != nil }, false},
	{"rxe-basic", "message", `rdma.proc == RDMA_NOMSG`, func(r rec) bool { return r.str("proc") == "RDMA_NOMSG" }, true},
	{"rxe-basic", "message", `rdma.handle == 0x00000c83`, func(r rec) bool { return slices.Contains(r.handles(), "0x00000c83") }, true},
	{"rxe-basic", "message", `rdma.writes.count == 1 and direction == to_server and rdma.length < 200`, func(r rec) bool {
		return len(r.list("writes")) == 1 && r.str("direction") == "to_server" && r.num("length") < 200
	}, true},
	{"siw-basic", "message", `rdma.reply`, func(r rec) bool { return r["reply"] != nil }, true},
	{"version2-roce", "message", `rdma.option == INIT_XCHAR and rdma.xchar.rbsiz > 4096`, func(r rec) bool {
		first := r.in("option").list("characteristics")
		return r.in("option").str("name") == "INIT_XCHAR" && len(first) > 0 && first[0].num("value") > 4096
	}, true},
	{"version2-iwarp", "message", `rdma.proc == RDMA2_OPTIONAL and rdma.direction == REPLY and (rdma.done == 0 or rdma.pending == 0)`, func(r rec) bool {
		return r.in("option").str("name") == "RESP_XCHAR"
	}, true},
	{"version2-roce", "message", `rdma.xchar == 0xffffff02 or rdma.xchar.brs == BKRQSUP_GENL or rdma.pending_clear`, func(r rec) bool {
		o := r.in("option")
		return o["pending_clear"] == true || len(o.list("characteristics")) > 2 && (o.str("name") != "INIT_XCHAR" || r.str("direction") == "to_client")
	}, true},
	{"version2-roce", "rpc", `rdma.processed and rdma.length_needed > 1000 and rdma.reply.segment_index == 2`, func(r rec) bool {
		return r.in("reply").in("error")["processed"] == true
	}, true},
	{"version2-roce", "rpc", `rdma.call.inv_handle == 0 and rdma.error != RDMA2_ERR_INVAL_PROC`, func(r rec) bool {
		e := r.in("reply").in("error").str("name")
		return r.in("call").str("inv_handle") == "0x00000000" && e != "" && e != "RDMA2_ERR_INVAL_PROC"
	}, true},
	{"version2-roce", "frame", `rdma.option and not rdma.xchar`, func(r rec) bool {
		o := r.in("message").in("option")
		return o["type"] != nil && len(o.list("characteristics")) == 0
	}, true},
	{"rxe-loss", "frame", `frame.note contains "retransmission"`, func(r rec) bool { return strings.Contains(r.str("note"), "retransmission") }, true},
	{"rxe-cb", "frame", `bth.psn >= 8000000 and rdma.opcode == "RC Acknowledge"`, func(r rec) bool {
		return r.num("psn") >= 8e6 && r.str("opcode") == "RC Acknowledge"
	}, true},
	{"rxe-cb", "frame", `rdma.xid and frame.length > 300`, func(r rec) bool { return r["message"] != nil && r.num("length") > 300 }, true},
	{"rxe-cb", "frame", `icrc.state == right and reth.rkey`, func(r rec) bool { return r.str("icrc") == "right" && r["rkey"] != nil }, true},
	{"rxe-ipv6", "frame", `ipv6.src and ip.addr != 192.0.2.0/24 and connection`, func(r rec) bool {
		return strings.Contains(r.str("source"), ":") && r["connection"] != nil
	}, true},
	{"siw-basic", "frame", `rdmap.opcode == "RDMA Write" and ddp.l`, func(r rec) bool {
		write := slices.ContainsFunc(r.list("units"), func(u rec) bool { return u.str("opcode") == "RDMA Write" })
		last := slices.ContainsFunc(r.list("units"), func(u rec) bool { return u["last"] == true })
		return write && last
	}, true},
	{"siw-basic", "frame", `tcp.dstport == 20049 and frame.time < "2026-11-21 23:00"`, func(r rec) bool {
		return r.num("destination_port") == 20049 && r.str("time") < "2026-11-21T23:00"
	}, true},
}

// TestFilterPicks holds what filters list against what is picked by hand out of
// the records of the same capture without one.
func TestFilterPicks(t *testing.T) {
	t.Parallel()
	whole := make(map[string][]string)
	records := make(map[string][]rec)
	for _, c := range picks {
		t.Run(c.sample+" "+c.filter, func(t *testing.T) {
			args := []string{"read", "--format", "ndjson", "--level", c.level, sample(c.sample)}
			key := c.sample + c.level
			if whole[key] == nil {
				whole[key] = strings.Split(must(t, args...), "\n")
				for _, line := range whole[key] {
					records[key] = append(records[key], parse(t, line))
				}
			}
			var want, conns []string
			for i, line := range whole[key] {
				if r := records[key][i]; r.str("type") == c.level && c.want(r) {
					want = append(want, line)
					conns = append(conns, fmt.Sprint(r["connection"]))
				}
			}
			var got, told []string
			shown := -1
			for line := range strings.Lines(must(t, append(args, "-Y", c.filter)...)) {
				line = strings.TrimSuffix(line, "\n")
				switch r := parse(t, line); r.str("type") {
				case c.level:
					got = append(got, line)
					if id := r["connection"]; id != nil && !slices.Contains(told, fmt.Sprint(id)) {
						t.Errorf("connection %v is named before it is told of", id)
					}
				case "connection":
					id := fmt.Sprint(r["id"])
					told = append(told, id)
					if !slices.Contains(conns, id) {
						t.Errorf("connection %s is told of, and nothing of it is listed", id)
					}
				case "summary":
					shown = int(r.num("shown"))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d records, want %d", len(got), len(want))
			}
			if shown != len(want) {
				t.Errorf("the summary has %d shown, want %d", shown, len(want))
			}
			if c.some && len(want) == 0 {
				t.Error("the sample has no such record")
			}
		})
	}
}

func parse(t *testing.T, line string) (r rec) {
	t.Helper()
	if line == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFilteredText holds what a person sees.
func TestFilteredText(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"filter-rxe-basic.txt", []string{"-Y", "nfs.op in {READ, WRITE} and rpc.latency > 45ms", "rxe-basic"}},
		{"filter-level-message-rxe-cb.txt", []string{"--level", "message", "-Y", "rdma.invalidated", "rxe-cb"}},
		{"filter-level-frame-siw-cb.txt", []string{"--level", "frame", "-Y", "mpa.rev or tcp.fin", "siw-cb"}},
		{"filter-nothing-rxe-cb.txt", []string{"-Y", "rpc.status == SYSTEM_ERR", "rxe-cb"}},
	} {
		last := len(c.args) - 1
		golden(t, c.name, timeless(must(t, append([]string{"read"}, append(c.args[:last:last], sample(c.args[last]))...)...)))
	}
}

// TestFilteredRowsAreThoseOfAll finds each row that a filter lists, with its
// number and its time, among those without one.
func TestFilteredRowsAreThoseOfAll(t *testing.T) {
	for level, filter := range map[string]string{
		"rpc": "nfs.op == GETATTR", "message": "direction == to_client", "frame": "rdma.xid",
	} {
		all := strings.Split(must(t, "read", "--level", level, sample("rxe-cb")), "\n")
		n := 0
		for line := range strings.Lines(must(t, "read", "-q", "--level", level, "-Y", filter, sample("rxe-cb"))) {
			// The width of a column depends on the rows above.
			if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "  ") || strings.Contains(line, "Time [s]") {
				continue
			}
			n++
			if !slices.ContainsFunc(all, func(row string) bool { return slices.Equal(strings.Fields(row), strings.Fields(line)) }) {
				t.Errorf("level %s: not among all rows: %s", level, line)
			}
		}
		if n == 0 {
			t.Errorf("level %s: no rows", level)
		}
	}
}

func TestFilterErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-Y", "nfs.opp == READ"}, `rdmacap: --filter: "nfs.opp" is not a field
  nfs.opp == READ
  ^~~~~~~
did you mean nfs.op?
`},
		{[]string{"--filter", "bth.psn == 1"}, `rdmacap: --filter: "bth.psn" is not a field
  bth.psn == 1
  ^~~~~~~
it is of frames: add --level frame
`},
		{[]string{"-Y", "nfs.op == READ", "--level", "message"}, `rdmacap: --filter: "nfs.op" is not a field
  nfs.op == READ
  ^~~~~~
it is of RPCs: add --level rpc
`},
		{[]string{"--columns", "xid,latencyy"}, `rdmacap: --columns: "latencyy" is not a field
  latencyy
  ^~~~~~~~
did you mean latency? --columns help lists all
`},
		{[]string{"--sort", "-travel"}, `rdmacap: --sort: "travel" is not a field
  travel
  ^~~~~~
did you mean travelled? --columns help lists all
`},
		{[]string{"--columns", "zz"}, `rdmacap: --columns: "zz" is not a field
  zz
  ^~
--columns help lists all
`},
	} {
		r := rdmacap(append(append([]string{"read"}, c.args...), sample("rxe-cb"))...)
		if r.status != exitUnusable || r.err != c.want || r.out != "" {
			t.Errorf("%q: status %d, output %q, error:\n%s\nwant:\n%s", c.args, r.status, r.out, r.err, c.want)
		}
	}
}

// TestFilterOfOwnProgram asks for a field of a program that the user describes.
func TestFilterOfOwnProgram(t *testing.T) {
	text := write(t, "shares.x", []byte(`
		struct share_args { string name<>; };
		program SHARES { version V1 { void SHARE(share_args) = 1; } = 1; } = 0x20000099;`))
	out := must(t, "read", "--binding", text, "-Y", `shares.share_args.name == "x" or rpc.program == SHARES`, sample("rxe-cb"))
	if !strings.HasPrefix(out, "0 of ") {
		t.Errorf("%s", out)
	}
}

func TestFilterCompletions(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-Y", "rpc.lat"}, "rpc.latency\tfrom the last frame of the call to the first frame of the reply"},
		{[]string{"--level", "frame", "--filter", "bth.ps"}, "bth.psn\tpacket sequence number"},
		{[]string{"-Y", "nfs.op == READL"}, "nfs.op == READLINK"},
		{[]string{"-Y", "nfs3.read3args.off"}, "nfs3.read3args.offset\toffset3"},
	} {
		r := rdmacap(append([]string{"__complete", "read"}, c.args...)...)
		if !slices.Contains(strings.Split(r.out, "\n"), c.want) {
			t.Errorf("%q: %q, want %q", c.args, r.out, c.want)
		}
	}
}
