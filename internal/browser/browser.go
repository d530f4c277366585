package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/long"
)

// limit is how long one thing may take that the browser is asked for: only what never
// comes takes so long, however busy the machine is.
const limit = 5 * time.Minute

// A Browser is a Chromium that runs.
type Browser struct {
	tb      testing.TB
	process *exec.Cmd
	to      *os.File // ends with the process
	gone    chan struct{}

	mu      sync.Mutex
	asked   int
	answers map[int]chan message
	pages   map[string]*Page // by session
	idle    []*Page          // that no test has
}

// A message is what goes over the pipe in either direction: a command, its answer
// or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// path is where Chromium is, "" if it is nowhere.
func path() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	return ""
}

// Wanted is the variable of the environment by which tests in a browser are asked for.
const Wanted = "RDMACAP_BROWSER"

// Start starts a Chromium that ends with the test, with a profile that is empty. The
// test is skipped if there is none, and where neither Wanted nor the tag long asks for what
// takes a browser a minute.
func Start(tb testing.TB) *Browser {
	tb.Helper()
	if os.Getenv(Wanted) == "" && !long.Tests {
		tb.Skip("in a browser, for a minute: " + Wanted + "=1 go test ./report/page/inbrowser ./internal/browser")
	}
	chromium := path()
	if chromium == "" {
		tb.Skip("no Chromium: neither chromium, chromium-browser nor google-chrome is in PATH (Debian: apt install chromium)")
	}
	b := &Browser{tb: tb, gone: make(chan struct{}), answers: make(map[int]chan message), pages: make(map[string]*Page)}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { remove(tb, profile) })
	b.process = exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-breakpad",
		"--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows", "--disable-background-timer-throttling",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "--no-startup-window")
	itsIn, to, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	from, itsOut, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	b.to = to
	b.process.ExtraFiles = []*os.File{itsIn, itsOut} // it reads from 3 and writes to 4
	if err := b.process.Start(); err != nil {
		tb.Fatalf("%s does not start: %v", chromium, err)
	}
	itsIn.Close()
	itsOut.Close()
	go b.readEvents(from)
	tb.Cleanup(b.stop)
	return b
}

// stop asks the browser to end, with all its processes, and ends it if it does not.
func (b *Browser) stop() {
	b.to.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = b.to.WriteString(`{"id":0,"method":"Browser.close"}` + "\x00")
	select {
	case <-b.gone:
	case <-time.After(time.Minute):
		_ = b.process.Process.Kill()
		<-b.gone
	}
	b.to.Close()
	_ = b.process.Wait()
}

// remove takes a browser's profile away. Some process of it may live a moment longer than
// the browser, and write there.
func remove(tb testing.TB, profile string) {
	var err error
	for range 100 {
		if err = os.RemoveAll(profile); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	tb.Logf("what Chromium wrote stays behind: %v", err)
}

// readEvents takes what the browser says, until it is gone.
func (b *Browser) readEvents(from *os.File) {
	defer close(b.gone)
	defer from.Close()
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		answer, page := b.answers[m.ID], b.pages[m.Session]
		delete(b.answers, m.ID)
		b.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case page != nil && m.Method != "":
			page.event(m.Method, m.Params)
		}
	}
}

// call asks for a command of the protocol and takes its result.
func (b *Browser) call(session, method string, params, result any) error {
	data, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	b.mu.Lock()
	b.asked++
	m := message{ID: b.asked, Session: session, Method: method, Params: data}
	b.answers[m.ID] = answer
	b.mu.Unlock()
	if data, err = json.Marshal(m); err != nil {
		return err
	}
	if err := b.to.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if _, err := b.to.Write(append(data, 0)); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case a := <-answer:
		if a.Error != nil {
			return fmt.Errorf("%s: %s", method, a.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(a.Result, result)
	case <-b.gone:
		return fmt.Errorf("%s: the browser is gone", method)
	case <-time.After(limit):
		return fmt.Errorf("%s: no answer in %v", method, limit)
	}
}
