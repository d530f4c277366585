//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

var metricsAddress = regexp.MustCompile(`metrics are on http://(\S+)/\n`)

// askOn asks for a path on a connection that this goroutine makes, in the network
// namespace of its thread.
func askOn(address, path string) (status int, body string, err error) {
	c, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return 0, "", err
	}
	defer c.Close()
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, c.RemoteAddr())
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, "", err
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	return r.StatusCode, string(data), err
}

// untilAnswered asks until an answer has some words, and returns the last one.
func untilAnswered(t *testing.T, address, path, words string) (status int, body string) {
	t.Helper()
	var err error
	for range 1000 {
		if status, body, err = askOn(address, path); err == nil && strings.Contains(body, words) {
			return status, body
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s does not have %q: %v, status %d, %s", path, words, err, status, body)
	return status, body
}

// TestLiveMetrics has figures asked for while a file is followed, until that is interrupted.
func TestLiveMetrics(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pcap")
	if err := os.WriteFile(path, unpacked(t, "rxe-cb"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, diag watched
	r := start(t, streams{out: &out, err: &diag}, "live", "-r", path, "--follow", "--brief", "--metrics", ":0")
	if !diag.until("metrics are on ") {
		t.Fatal(diag.String())
	}
	diag.guard.Lock()
	address := metricsAddress.FindStringSubmatch(diag.String())[1]
	diag.guard.Unlock()
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Errorf("it listens on %s", address)
	}
	untilAnswered(t, address, "/metrics", "\nrdmacap_frames_total 585\n")
	for path, want := range map[string]string{
		"/metrics": "\nrdmacap_rpcs_total{operation=\"NFS4 OPEN\"} 18\n", "/readyz": "capturing\n", "/healthz": "alive\n", "/": "<td class=\"n\">585\n",
	} {
		if status, body, err := askOn(address, path); err != nil || status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %v, status %d, %s", path, err, status, body)
		}
	}
	r.interrupt()
	if s := r.wait(t); s != exitInterrupted {
		t.Errorf("status %d, standard error %q", s, diag.String())
	}
	if _, _, err := askOn(address, "/healthz"); err == nil {
		t.Error("it answers after its end")
	}
}

// TestLiveMetricsMisuse holds the words where nobody can be answered: nothing is captured
// then.
func TestLiveMetricsMisuse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct{ args, want string }{
		{"live -i nonesuch --metrics 9400", `--metrics: "9400" is not :PORT, for 127.0.0.1, or ADDRESS:PORT (see 'rdmacap live --help')`},
		{"live -i nonesuch --metrics :99999", `--metrics: ":99999": a port is a number from 0 (any free one) to 65535 (see 'rdmacap live --help')`},
		{"live -i nonesuch --metrics " + taken.Addr().String(), "--metrics: " + taken.Addr().String() + " is in use: another program listens there"},
		{"live -i nonesuch --metrics 192.0.2.77:9400", "--metrics: 192.0.2.77:9400: this machine has no such address"},
	} {
		r := rdmacap(strings.Fields(c.args)...)
		if r.status != exitUnusable || r.out != "" || r.err != "rdmacap: "+c.want+"\n" {
			t.Errorf("rdmacap %s: %+v", c.args, r)
		}
	}
}

// TestTopTellsAddress holds that where figures are answered is told at once by --top too, though
// the input is not open yet.
func TestTopTellsAddress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, diag watched
	r := start(t, streams{out: &out, err: &diag}, "live", "--top", "-r", path, "--metrics", ":0")
	if !diag.until("metrics are on ") { // nobody writes the FIFO
		t.Error(diag.String())
	}
	r.interrupt()
	r.wait(t)
}
