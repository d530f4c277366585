package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// A place is where a connection's server listened.
type place struct {
	transport string
	port      int
}

// A finding is one that check prints, in part.
type finding struct {
	Rule      string // with the letter of its case
	Severity  string
	Certainty string
	Direction string // of the message that is at fault, or shows it: to_client or to_server
	CausedBy  *int   `json:"caused_by"`
	ID        int
}

// A connection is one of a capture, with what is found there.
type connection struct {
	findings map[int]finding // by ID: the last that was reported of each
}

// A checked capture has connections, by number and by place, in their order.
type checked struct {
	byNumber map[int]*connection
	byPlace  map[place][]*connection
}

// check is what a program finds in a capture.
func check(program, capture string) (*checked, error) {
	out, err := exec.Command(program, "check", "--fail-on", "never", "--format", "ndjson", capture).Output()
	if err != nil {
		return nil, fmt.Errorf("check of %s: %w", capture, err)
	}
	k := &checked{make(map[int]*connection), make(map[place][]*connection)}
	err = eachRecord(out, func(r *record) error {
		switch r.Type {
		case "connection":
			if k.byNumber[r.ID] == nil {
				k.byNumber[r.ID] = &connection{make(map[int]finding)}
			}
			at := place{r.Transport, r.Port}
			if c := k.byNumber[r.ID]; !slices.Contains(k.byPlace[at], c) {
				k.byPlace[at] = append(k.byPlace[at], c)
			}
		case "finding":
			if c := k.byNumber[r.Connection]; c != nil {
				c.findings[r.ID] = r.finding
			}
		}
		return nil
	})
	return k, err
}

// A record is one of JSON that rdmacap prints, in part.
type record struct {
	Type, Transport string
	finding
	Connection int
	Port       int             `json:"server_port"`
	Latency    *int64          `json:"latency_ns"`
	Call       json.RawMessage // of an RPC a message, of a finding what it is about
}

// sent is when the call of an RPC came.
func (r *record) sent() (time.Time, error) {
	var m struct{ Time time.Time }
	err := json.Unmarshal(r.Call, &m)
	return m.Time, err
}

// eachRecord takes a program's output apart, one record a line.
func eachRecord(out []byte, do func(*record) error) error {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("%w: %.80s", err, lines.Text())
		}
		if err := do(&r); err != nil {
			return err
		}
	}
	return lines.Err()
}
