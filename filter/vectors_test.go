package filter

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The script of the page that rdmacap report writes has the language once more.
// Vectors are what holds it to this package: expressions with the records that
// they keep, or with their error. The tests of the page read them.
type vectors struct {
	Fields  []vectorField         `json:"fields"`
	Records []map[string][]string `json:"records"`
	Kept    []vectorKept          `json:"kept"`
	Wrong   []vectorWrong         `json:"wrong"`
	// Completed are beginnings of expressions with what completes them.
	Completed []vectorCompleted `json:"completed"`
}

type vectorField struct {
	Name   string      `json:"name"`
	Kind   string      `json:"kind"`
	Values [][2]string `json:"values,omitempty"`
}

// A vectorKept has for each record 1 if the expression keeps it, else 0.
type vectorKept struct {
	Expr string `json:"expr"`
	Keep string `json:"keep"`
}

type vectorWrong struct {
	Expr   string `json:"expr"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	Text   string `json:"text"` // all lines of the error
}

type vectorCompleted struct {
	Begin string   `json:"begin"`
	Texts []string `json:"texts"`
}

// TestVectors holds the file of vectors to what the package does. With -update
// it is written anew.
func TestVectors(t *testing.T) {
	const path = "../report/page/web/test/filter.json"
	g := generator{rand.New(rand.NewPCG(7, 7))}
	records := []told{read, lookup, nothing}
	for range 13 {
		records = append(records, g.record())
	}
	v := vectors{Fields: vectorFields()}
	for _, r := range records {
		v.Records = append(v.Records, spelled(r))
	}
	set := testSet(t)
	for _, expr := range vectorExpressions(t, g) {
		f, err := set.Compile(expr)
		var e *Error
		switch {
		case !utf8.ValidString(expr): // a page has no such text
		case errors.As(err, &e):
			v.Wrong = append(v.Wrong, vectorWrong{expr, e.Offset, e.Length, e.Error()})
		default:
			keep := make([]byte, len(records))
			for i, r := range records {
				keep[i] = '0'
				if f.Match(r) {
					keep[i] = '1'
				}
			}
			v.Kept = append(v.Kept, vectorKept{expr, string(keep)})
		}
	}
	if len(v.Kept) < 500 || len(v.Wrong) < 500 {
		t.Fatalf("%d expressions and %d errors", len(v.Kept), len(v.Wrong))
	}
	for _, expr := range append(seeds, `rdma.xid in {1, `, `nfs.op not `, `nfs.op in `, `rpc.complete == `, `nfs.fh `, `RPC.L`, `(not `, `nfs.op == "not`) {
		for i := 0; i <= len(expr); i += 3 {
			if begin := expr[:i]; utf8.ValidString(begin) {
				c := vectorCompleted{begin, []string{}}
				for _, one := range set.Completions(begin) {
					c.Texts = append(c.Texts, one.Text)
				}
				v.Completed = append(v.Completed, c)
			}
		}
	}
	want := written(t, v)
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the package does: run go test ./filter -run Vectors -update", path)
	}
}

// vectorExpressions are those of the other tests, regular expressions, random
// trees, and some of the ways to spoil the seeds.
func vectorExpressions(t *testing.T, g generator) (list []string) {
	for _, c := range matchCases {
		list = append(list, c.expr)
	}
	file, err := os.ReadFile("testdata/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split("\n"+string(file), "\n> ")[1:] {
		expr, _, _ := strings.Cut(part, "\n")
		list = append(list, expr)
	}
	for _, re := range patterns {
		list = append(list, "nfs.name matches r'"+re+"'", "not nfs.name matches r'(?-i)"+re+"'")
	}
	list = append(list, strings.Repeat("!", maxDepth+1)+"nfs.name", strings.Repeat("rdma.xid == 1 or ", 20)+"rdma.xid == x")
	list = append(list, literals...)
	for range 300 {
		list = append(list, g.expression(3).written)
	}
	n := 0
	for _, expr := range seeds {
		for i := range len(expr) + 1 {
			for _, sign := range []string{"", "=", "(", ")", "{", "}", ",", "..", "\"", "!", "µ", "\\", " not ", "."} {
				for _, cut := range []string{expr[:i] + sign, expr[:i] + sign + expr[i:]} {
					if n++; n%19 == 0 {
						list = append(list, cut)
					}
				}
			}
		}
	}
	return list
}

// patterns are regular expressions, good and bad.
var patterns = []string{
	`a.tmp`, `^a`, `^$`, `^`, `b\.tmp$`, `[a-c]+\.`, `[^a-z.]`, `[[:upper:]]`, `[[:^alpha:]]`, `[]a]`, `[a-]`, `\d|\s|\W`, `[\w.]{5}`,
	`(a|b)\.(?:tmp|T)`, `(?P<x>a)b`, `(?<x>d)ir`, `a{1}b?`, `(?i)A`, `(?s).`, `(?m)^b`, `(?U)a+?`, `(?i:a)B`, `(?i-s:A)b`, `\Qa.\E`, `\bdir\b`, `\Ba`,
	`\Aa\z`, `\pL`, `\PL`, `\p{Greek}`, `\p{^Lu}`, `[\p{Lu}\d]`, `\x41`, `\x{e9}`, `é`, `É`, `\x{1F4BE}`, `\101`, `\0`, `\a\f\n\r\t\v`, `a{`, `a{,2}`, `a{2`, `{`, `a{02}`,
	`()`, `a||b`, `|`, `a*?`, `(a*)*`, `(a+){2,}`, `(|a)+`, `x{0}`, `x{0,0}a`, `[^\D]`, `[\s\S]`, `\x{017F}`, `K`,
	`a**`, `a*+`, `*a`, `(*)`, `|*`, `^*`, `a{1001}`, `a{2,1}`, `(a{99}){99}`, `((a{9}){9}){9}`, `(a`, `a)`, `[a`, `[z-a]`, `[[:foo:]]`, `[a-\d]`, `\`, `[\`, `\q`, `\8`, `\1`, `\x`, `\x4`, `\x{110000}`, `\x{}`, `\xg`, `\p`, `\pX`, `\p{`, `\p{Nothing}`, `\p{Latn}`,
	`(?`, `(?i`, `(?=a)`, `(?!a)`, `(?<=a)`, `(?<a`, `(?P<a`, `(?P<>a)`, `(?P=a)`, `(?z)`, `(?i-)`, `(?--i)`, `\C`, `\Z`, `\G`, `\K`,
}

// literals are values at the edges of what their fields take.
var literals = []string{
	"nfs.count == 18446744073709551615", "nfs.count == 18446744073709551616", "nfs.count == 99999999999999999999e5", "nfs.count >= 9007199254740993",
	"nfs.count > 18446744073709551614", "nfs.count == 1.5k", "nfs.count == 1.0001k", "nfs.count == 1.", "nfs.count == 1.k", "nfs.count == .5k", "nfs.count == 0.0000000000000000001T",
	"nfs.count == 1K", "nfs.count == 1kiB", "nfs.count == 0x", "nfs.count == 0b12", "nfs.count == 0xffffffffffffffffff", "nfs.count == 007", "nfs.count == 00", "nfs.count == 5-9", "nfs.count == -9", "nfs.count == 1-x",
	"nfs.offset == -9223372036854775808", "nfs.offset == -9223372036854775809", "nfs.offset == 9223372036854775808", "nfs.offset < 9223372036854775807", "nfs.offset == --1", "nfs.offset == -0x1",
	"rpc.latency > 1e3", "rpc.latency > 1_000", "rpc.latency > 0x1p3", "rpc.latency > inf", "rpc.latency > nan", "rpc.latency > .", "rpc.latency > .5s", "rpc.latency > 1.s", "rpc.latency > 1h2m3s4ms5us6ns", "rpc.latency > 1m30", "rpc.latency > 9223372036854775807ns", "rpc.latency > 9223372036854775808ns", "rpc.latency > -9223372036854775808ns", "rpc.latency == 0.0009s", "rpc.latency == 0.00090000000000000000000000000000000001s", "rpc.latency > 2562047h48m", "rpc.latency > 5 s", "rpc.latency > 5μs", "rpc.latency > 5S", "rpc.latency == +12ms", "rpc.latency == 1.2e1ms",
	"frame.time > 2026-02-29", "frame.time > 2024-02-29", "frame.time > 2026-01-31T5:04", "frame.time > 2026-01-31T15:04:05,5", "frame.time > 2026-01-31T15:04:05.123456789012Z", "frame.time > 2026-01-31T15:04:60", "frame.time > 2026-01-31T24:00", "frame.time > 1677-01-01", "frame.time > 2262-01-01", "frame.time > 2261-12-31T23:59:59-24:00", "frame.time > 2026-01-31Z", "frame.time > 2026-01-31+25:00", "frame.time > 2026-01-31T15", "frame.time > 26-01-31", "frame.time > 'yesterday'", "frame.time > 5", "frame.time == '2026-01-31 15:04:05.25 UTC'", "frame.time < 2026-01-31t15:04",
	"ip.addr == 1.2.3", "ip.addr == 1.2.3.256", "ip.addr == 01.2.3.4", "ip.addr == 1.2.3.4.5", "ip.addr == ::1::", "ip.addr == 1:2:3:4:5:6:7:8", "ip.addr == 1:2:3:4:5:6:7:8:9", "ip.addr == 1:2:3:4:5:6:7::", "ip.addr == 1:2:3:4:5:6:7:8::", "ip.addr == ::1.2.3.4", "ip.addr == 1:2:3:4:5:6:7:1.2.3.4", "ip.addr == fe80::7%eth0", "ip.addr == 12345::", "ip.addr == :1", "ip.addr == 1:", "ip.addr == 1.2.3.4/33", "ip.addr == 1.2.3.4/08", "ip.addr == 1.2.3.4/", "ip.addr == ::/129", "ip.addr == ::ffff:1.2.3.4/95", "ip.addr == ::ffff:192.0.2.0/120", "ip.addr == server.example", "ip.addr == ::ffff", "ip.addr < 10.0.0.0/8", "ip.addr in {::1..1.2.3.4}", "ip.addr in {2.2.2.2..1.1.1.1}", "ip.addr in {10.0.0.0/8..11.0.0.0}", "ip.addr in {9.255.255.255..10.0.1.0, ::..::1}", "ip.addr >= 10.0.0.1", "ip.addr < ::1", "ip.addr != ::/1",
	"nfs.fh == 0", "nfs.fh == 00:1", "nfs.fh == 00:11-22", "nfs.fh == 0x", "nfs.fh == zz", "nfs.fh == 0X01", "nfs.fh contains ''", "nfs.fh matches 'a'", "nfs.fh in {00..ff}", "nfs.fh > 61", "nfs.fh in {61, 00ff}",
	"nfs.name == a", "nfs.name == '\\x'", "nfs.name == '\\u12'", "nfs.name == '\\ud800'", "nfs.name == '\\U00110000'", "nfs.name == '\\400'", "nfs.name == '\\377'", "nfs.name contains '\\u00e9'", "nfs.name contains '\\xc3'", "nfs.name < 'é'", "nfs.name > '\\xff'", "nfs.name == 'a", "nfs.name == r'a\\'", "nfs.name == '\\", "nfs.name == '\\é'", "nfs.name matches a",
	"nfs.op in {ACCESS..READ}", "nfs.op < READ", "nfs.op == read_dir", "nfs.op == REED", "nfs.op == \"not supported\"", "nfs.op contains 'zzz'", "nfs.op contains read", "nfs.op matches '('", "nfs.status == NOENT", "nfs.status in {0..}", "nfs.status in {}", "nfs.status in {0", "nfs.status in {0 1}", "nfs.status in 0", "nfs.op == nfs.op", "nfs.op == \"nfs.op\"", "nfs.op == and",
	"nfs.opp", "op == 1", "tcp.port == 1", "nfs", "nfs.", "rdma", "xid == 5", "nfs.name[0:2] == 'a'", "upper(nfs.name)", "nfs.name(1)", "5 == rdma.xid", "'a' == nfs.name", "rdma.xid = 5", "rdma.xid & 1", "rdma.xid | 1", "rdma.xid == 5 rdma.xid", "rdma.xid == 5 == 6", "rdma.xid == 5 xor rdma.xid", "rdma.xid not == 5", "all rdma.xid not in {5}", "any rdma.xid", "rdma.xid not", "rdma.xid not nfs.op", "any", "not", "()", ")", "rpc.complete < 1", "rpc.complete == yes", "rpc.complete contains 'a'", "rdma.xid contains 5", "rdma.xid matches '5'", "rpc.latency matches '5'", "\u00a0rdma.xid\u2003==\u30005", "rdma.xid == 5\u0000", "NFS.NAME == 'dir'", "ſ == 1", "a.very.long.name.that.nobody.would.ever.write.in.an.expression.of.this.language == 1",
}

func vectorFields() (list []vectorField) {
	kinds := [...]string{Uint: "uint", Int: "int", Duration: "duration", Bool: "bool", String: "string", Bytes: "octets", Address: "address", Enum: "enum", Time: "time"}
	for _, f := range testFields {
		v := vectorField{Name: f.Name, Kind: kinds[f.Kind]}
		if f.Kind == Enum {
			for name, value := range f.Names {
				v.Values = append(v.Values, [2]string{name, strconv.FormatUint(value, 10)})
			}
		}
		list = append(list, v)
	}
	return list
}

// spelled is a record as text: numbers in decimal, bytes in hexadecimal.
func spelled(r told) map[string][]string {
	m := make(map[string][]string)
	for name, list := range r {
		for _, v := range list {
			text := fmt.Sprint(v)
			switch v := v.(type) {
			case time.Duration:
				text = strconv.FormatInt(int64(v), 10)
			case bool:
				text = map[bool]string{false: "0", true: "1"}[v]
			case []byte:
				text = hex.EncodeToString(v)
			case netip.Addr:
				text = v.Unmap().WithZone("").String()
			case time.Time:
				text = strconv.FormatInt(v.UnixNano(), 10)
			}
			m[name] = append(m[name], text)
		}
	}
	return m
}

// written is JSON with a vector a line.
func written(t *testing.T, v vectors) []byte {
	t.Helper()
	var b bytes.Buffer
	part := func(name string, n int, at func(int) any) {
		fmt.Fprintf(&b, "%q: [\n", name)
		for i := range n {
			var line bytes.Buffer
			e := json.NewEncoder(&line)
			e.SetEscapeHTML(false)
			if err := e.Encode(at(i)); err != nil {
				t.Fatal(err)
			}
			b.Write(bytes.TrimSpace(line.Bytes()))
			if i < n-1 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
		}
		b.WriteByte(']')
	}
	b.WriteByte('{')
	part("fields", len(v.Fields), func(i int) any { return v.Fields[i] })
	b.WriteString(",\n")
	part("records", len(v.Records), func(i int) any { return v.Records[i] })
	b.WriteString(",\n")
	part("kept", len(v.Kept), func(i int) any { return v.Kept[i] })
	b.WriteString(",\n")
	part("wrong", len(v.Wrong), func(i int) any { return v.Wrong[i] })
	b.WriteString(",\n")
	part("completed", len(v.Completed), func(i int) any { return v.Completed[i] })
	b.WriteString("}\n")
	return b.Bytes()
}
