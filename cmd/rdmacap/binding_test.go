package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// The program of docs/examples/kv.x.
const kvProgram = 0x20049001

func kvCall(xid, procedure uint32, args []byte) []byte {
	return build.RPCCall{XID: xid, Program: kvProgram, Version: 1, Procedure: procedure, Args: args}.Bytes()
}

// opaque is bytes as XDR has them.
func opaque(b []byte, data string) []byte {
	b = append(binary.BigEndian.AppendUint32(b, uint32(len(data))), data...)
	return append(b, make([]byte, -len(data)&3)...)
}

// item is a message whose eligible item stands at its end.
func item(data []byte, value string) build.Message {
	data = opaque(data, value)
	return build.Message{Bytes: data, Item: len(data) - (len(value)+3)&^3, ItemLength: len(value)}
}

// kvTraffic puts a value by Read chunk, gets it by Write chunk, and asks for a
// key that is not there.
func kvTraffic() build.Frames {
	value := strings.Repeat("v", 5001)
	c := build.NewConversation(build.Setup{})
	c.Connect()
	put := item(kvCall(1, 1, opaque(nil, "colour")), value)
	e := c.Call(put, build.ReadChunk{{Handle: 7, Length: 5001, Offset: 0x1000}})
	c.Reply(e, build.Message{Bytes: build.RPCReply{XID: 1, Results: make([]byte, 4)}.Bytes()})
	get := build.Message{Bytes: kvCall(2, 2, opaque(nil, "colour"))}
	e = c.Call(get, build.WriteChunk{{Handle: 8, Length: 8192, Offset: 0x4000}})
	found := append(make([]byte, 4), 0, 0, 0, 0, 0, 0, 0, 3) // KV_OK, revision 3
	c.Reply(e, item(build.RPCReply{XID: 2, Results: found}.Bytes(), value))
	e = c.Call(build.Message{Bytes: kvCall(3, 2, opaque(nil, "taste"))})
	c.Reply(e, build.Message{Bytes: build.RPCReply{XID: 3, Results: []byte{0, 0, 0, 1}}.Bytes()})
	return c.Frames
}

// TestBinding reads a program that only its text describes.
func TestBinding(t *testing.T) {
	file := pcapOf(t, kvTraffic())
	example := "../../docs/examples/kv.x"
	out := must(t, "read", "--binding", example, file)
	for _, want := range []string{
		`KV_PROGRAM KV_PUT      80.0 µs  OK  `, `  read chunk  `, `  "colour" 5001 bytes`,
		`KV_PROGRAM KV_GET      70.0 µs  OK  `, `  write chunk  `, `  "colour" → revision 3, 5001 bytes`,
		`KV_PROGRAM KV_GET      20.0 µs  NOKEY  `, `  "taste"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	details := must(t, "read", "-V", "--binding", example, file)
	for _, want := range []string{"kv_put_args: ", `key: "colour"`, "5001 bytes in the Read chunk at Position 56", "5001 bytes in Write chunk 1"} {
		if !strings.Contains(details, want) {
			t.Errorf("no %q in\n%s", want, details)
		}
	}
	if out := must(t, "read", file); strings.Contains(out, "colour") || !strings.Contains(out, fmt.Sprintf("prog %d v1 proc 2", kvProgram)) {
		t.Errorf("without the binding:\n%s", out)
	}
}

// TestBindingDocumented holds that the rows in docs/binding.md are those that are printed; -update writes them anew.
func TestBindingDocumented(t *testing.T) {
	const document, begin, end = "../../docs/binding.md", "```text\n", "```\n"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	has, after, closed := strings.Cut(rest, end)
	_, columns, named := strings.Cut(before, "`--columns ")
	columns, _, ends := strings.Cut(columns, "`")
	if !found || !closed || !named || !ends {
		t.Fatalf("%s has no rows, or does not say with which columns", document)
	}
	var want strings.Builder
	for line := range strings.Lines(must(t, "read", "-q", "--binding", "../../docs/examples/kv.x", "--columns", columns, pcapOf(t, kvTraffic()))) {
		want.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	switch {
	case has == want.String():
	case *update:
		if err := os.WriteFile(document, []byte(before+begin+want.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the rows in %s are (-update writes them anew)\n%s\nand what is printed is\n%s", document, has, want.String())
	}
}

// TestBindingsThatCannotBeRead names the place of what is wrong.
func TestBindingsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"type", "struct x { foo y; };", "1:12: type foo is not declared"},
		{"no program", "struct x { int y; };", "declares no program"},
		{"note", "struct x { opaque y<>; /* @eligable */ };", "eligable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := write(t, "bad.x", []byte(c.text))
			r := rdmacap("read", "--binding", file, sample("rxe-cb"))
			if r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, file) || !strings.Contains(r.err, c.want) {
				t.Errorf("status %d, output %q, error %q, want %q", r.status, r.out, r.err, c.want)
			}
		})
	}
}
