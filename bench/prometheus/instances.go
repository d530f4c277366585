//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// exposition is what rdmacap live answers when it has analysed a sample and waits for more.
func exposition(ctx context.Context, program, sample string) (text string, err error) {
	file, err := os.Open(sample)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := zstd.NewReader(file)
	if err != nil {
		return "", err
	}
	defer data.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	address := l.Addr().String()
	l.Close()
	ctx, end := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, program, "live", "-q", "-r", "-", "--brief", "--metrics", address)
	in, more, err := os.Pipe()
	if err != nil {
		end()
		return "", err
	}
	cmd.Stdin, cmd.Stderr = in, os.Stderr
	if err := cmd.Start(); err != nil {
		end()
		return "", err
	}
	defer func() {
		end()
		_ = cmd.Wait() // it was killed
		more.Close()
		in.Close()
	}()
	if _, err := data.WriteTo(more); err != nil {
		return "", err
	}
	// All is analysed when no more frames are counted.
	counted := regexp.MustCompile(`(?m)^rdmacap_frames_total .*$`)
	last := ""
	for range 200 {
		time.Sleep(200 * time.Millisecond)
		if text, err = get("http://" + address + "/metrics"); err != nil {
			continue
		}
		now := counted.FindString(text)
		if now == last && !strings.HasSuffix(now, " 0") {
			return text, nil
		}
		last = now
	}
	return "", fmt.Errorf("rdmacap live has no metrics of %s: %w", sample, err)
}

func get(url string) (string, error) {
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return string(text), err
}

// A line of an exposition: what is before the value, and the value of a counter that grows.
type line struct {
	before string
	grows  float64
}

// instances answer as so many instances do: /N is the Nth.
type instances struct {
	lines  []line
	series int
	mutex  sync.Mutex
	values [][]float64 // of each instance, by line
	random *rand.Rand
}

func newInstances(text string, n int) *instances {
	s := &instances{values: make([][]float64, n), random: rand.New(rand.NewPCG(1, 2))}
	counter := regexp.MustCompile(`^\w+_(total|bucket|count|sum)(\{.*\})? `)
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "#") {
			s.series++
		}
		at := strings.LastIndexByte(l, ' ')
		v, err := strconv.ParseFloat(strings.TrimSpace(l[at+1:]), 64)
		if err != nil || v == 0 || !counter.MatchString(l) {
			s.lines = append(s.lines, line{before: l})
			continue
		}
		s.lines = append(s.lines, line{before: l[:at+1], grows: v})
	}
	for i := range s.values {
		s.values[i] = make([]float64, len(s.lines))
	}
	return s
}

// ServeHTTP answers with counters that grew since the last scrape by up to what the sample has.
func (s *instances) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil || i < 0 || i >= len(s.values) {
		http.NotFound(w, r)
		return
	}
	var out bytes.Buffer
	s.mutex.Lock()
	for at, l := range s.lines {
		out.WriteString(l.before)
		if l.grows == 0 {
			continue
		}
		step := l.grows * s.random.Float64()
		if l.grows == float64(int64(l.grows)) {
			step = float64(int64(step))
		}
		s.values[i][at] += step
		out.WriteString(strconv.FormatFloat(s.values[i][at], 'g', -1, 64))
		out.WriteByte('\n')
	}
	s.mutex.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	_, _ = w.Write(out.Bytes()) // a scrape that went away is counted by Prometheus
}
