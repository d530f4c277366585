// Command witness holds what rdmacap live said inside the lab's machine against what
// rdmacap read and check say of the wire, as the emulator wrote it down outside.
//
//	go run ./lab/witness FOLDER
//
// The folder is the one that lab/run keeps results in. Exit status 0 if they say the same.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/internal/timed"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./lab/witness FOLDER")
		os.Exit(2)
	}
	if err := compare(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

// transports are the lab's, as rdmacap calls them.
var transports = map[string]string{"rxe": "RoCEv2", "siw": "iWARP"}

// leastRPCs is how many the work takes on each transport at the least: a mount and six
// files by four versions of NFS.
const leastRPCs = 100

func compare(folder string) error {
	program, wire := filepath.Join(folder, "rdmacap"), filepath.Join(folder, "wire.pcap")
	read, err := records(exec.Command(program, "read", "--format", "ndjson", wire).Output())
	if err != nil {
		return err
	}
	check, err := records(exec.Command(program, "check", "--fail-on", "error", "--format", "ndjson", wire).Output())
	if err != nil {
		return fmt.Errorf("check of the wire: %w", err)
	}
	for _, kind := range []string{"rxe", "siw"} {
		live, err := records(os.ReadFile(filepath.Join(folder, "live."+kind+".ndjson")))
		if err != nil {
			return err
		}
		for _, what := range []struct {
			name         string
			inside, wire []string
			least        int
		}{
			{"RPCs", rpcs(live, transports[kind]), rpcs(read, transports[kind]), leastRPCs},
			{"findings", findings(live, transports[kind]), findings(check, transports[kind]), 0},
		} {
			if err := same(what.inside, what.wire); err != nil {
				return fmt.Errorf("%s: %s: %w", kind, what.name, err)
			}
			if n := len(what.inside); n < what.least {
				return fmt.Errorf("%s: %d %s, fewer than %d: was anything mounted?", kind, n, what.name, what.least)
			}
			fmt.Printf("%s: %d %s, the same inside and on the wire\n", kind, len(what.inside), what.name)
		}
	}
	return nil
}

type record = map[string]any

// records are those of JSON, one a line, of what was read or printed without an error.
func records(text []byte, err error) (list []record, _ error) {
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%w: %.80s", err, lines.Text())
		}
		list = append(list, r)
	}
	return list, lines.Err()
}

// onTransport are the connections of a transport, by number.
func onTransport(list []record, transport string) map[any]bool {
	on := make(map[any]bool)
	for _, r := range list {
		if r["type"] == "connection" && r["transport"] == transport {
			on[r["id"]] = true
		}
	}
	return on
}

// where is what depends on who captured, and from when on.
var where = []string{"type", "connection", "frame", "frames", "call_frame", "reply_frame", "time", "latency_ns", "parts_ns", "server_or_lost_reply"}

// rpcs are the RPCs of a transport without where they were captured, in order.
func rpcs(list []record, transport string) (lines []string) {
	on := onTransport(list, transport)
	for _, r := range list {
		if r["type"] != "rpc" || !on[r["connection"]] {
			continue
		}
		for _, part := range []any{r, r["call"], r["reply"]} {
			if m, ok := part.(record); ok {
				for _, name := range where {
					delete(m, name)
				}
			}
		}
		line, err := json.Marshal(r)
		if err != nil {
			panic(err) // it came from JSON
		}
		lines = append(lines, string(line))
	}
	slices.Sort(lines)
	return lines
}

// findings are the findings of a transport with the RPC that shows each, but for those
// about time.
func findings(list []record, transport string) (lines []string) {
	on := onTransport(list, transport)
	for _, r := range list {
		rule, _ := r["rule"].(string)
		if r["type"] == "finding" && on[r["connection"]] && r["final"] != false && !timed.Rule(rule) {
			lines = append(lines, fmt.Sprint(r["rule"], " ", r["severity"], " xid ", r["xid"], ", ", r["direction"], ", ", r["count"], " times"))
		}
	}
	slices.Sort(lines)
	return lines
}

// same says what only one of two sorted lists has.
func same(inside, wire []string) error {
	if slices.Equal(inside, wire) {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d inside, %d on the wire", len(inside), len(wire))
	for _, side := range []struct {
		name       string
		list, than []string
	}{{"inside", inside, wire}, {"on the wire", wire, inside}} {
		for _, line := range side.list {
			if _, found := slices.BinarySearch(side.than, line); !found {
				fmt.Fprintf(&b, "\nonly %s: %s", side.name, line)
			}
		}
	}
	return fmt.Errorf("%s", b.String())
}
