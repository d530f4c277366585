package metrics

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rdmacap/rdmacap/capture"
)

// An answer is what a handler answers.
type answer struct {
	status int
	header http.Header
	body   string
}

func ask(t testing.TB, h http.Handler, method, path string) answer {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return answer{w.Code, w.Header(), w.Body.String()}
}

func TestAnswers(t *testing.T) {
	m := New(Options{})
	m.Began()
	h := m.Handler()
	for _, c := range []struct {
		method, path string
		status       int
		want         string
	}{
		{"GET", "/healthz", 200, "alive\n"},
		{"HEAD", "/healthz", 200, ""},
		{"GET", "/readyz", 200, "capturing\n"},
		{"GET", "/metrics", 200, "rdmacap_frames_total 0\n"},
		{"GET", "/", 200, "<!DOCTYPE html>"},
		{"POST", "/metrics", 405, "Method Not Allowed"},
		{"DELETE", "/", 405, "Method Not Allowed"},
		{"PUT", "/readyz", 405, "Method Not Allowed"},
		{"GET", "/metrics/", 404, "not found"},
		{"GET", "/nope", 404, "not found"},
		{"GET", "/../etc/passwd", 307, ""}, // to the path without dots
		{"GET", "/debug/pprof/", 404, "not found"},
	} {
		got := ask(t, h, c.method, c.path)
		if got.status != c.status || !strings.Contains(got.body, c.want) || c.method == "HEAD" && len(got.body) > 20 {
			t.Errorf("%s %s: status %d, %.80q", c.method, c.path, got.status, got.body)
		}
		if allow := got.header.Get("Allow"); c.status == 405 && allow != "GET, HEAD" {
			t.Errorf("%s %s: allowed is %q", c.method, c.path, allow)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		} {
			if !strings.HasPrefix(got.header.Get(name), want) {
				t.Errorf("%s %s: %s is %q", c.method, c.path, name, got.header.Get(name))
			}
		}
	}
}

// TestReadiness goes through what may be reported of a capture.
func TestReadiness(t *testing.T) {
	m := New(Options{Interfaces: []string{"mirror0", "mirror1"}})
	h := m.Handler()
	for _, step := range []struct {
		do     func()
		status int
		want   string
	}{
		{func() {}, 503, "capturing has not begun\n"},
		{m.Began, 200, "capturing\n"},
		{func() { m.Interface("mirror1", "the interface is down") }, 503, "mirror1: the interface is down\n"},
		{func() { m.Interface("mirror0", "the interface was removed") }, 503, "mirror0: the interface was removed; mirror1: the interface is down\n"},
		{func() { m.Interface("mirror1", "") }, 503, "mirror0: the interface was removed\n"},
		{func() { m.Interface("mirror0", "") }, 200, "capturing\n"},
		{func() { m.Interface("nobody asked for it", "the interface is down") }, 200, "capturing\n"},
		{m.Ended, 503, "capturing has ended\n"},
	} {
		step.do()
		got := ask(t, h, "GET", "/readyz")
		if got.status != step.status || got.body != step.want {
			t.Errorf("%d %q, want %d %q", got.status, got.body, step.status, step.want)
		}
		if v := series(t, m)["capturing"]; (v == 1) != (step.status == 200) {
			t.Errorf("capturing is %v where it is %q", v, step.want)
		}
		if alive := ask(t, h, "GET", "/healthz"); alive.status != 200 {
			t.Errorf("not alive: %+v", alive)
		}
	}
}

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		":9400": "127.0.0.1:9400", ":0": "127.0.0.1:0", "0.0.0.0:9400": "0.0.0.0:9400", "[::]:9400": "[::]:9400",
		"[::1]:9400": "[::1]:9400", "localhost:1": "localhost:1", "192.0.2.1:65535": "192.0.2.1:65535",
	} {
		if got, err := Address(text); err != nil || got != want {
			t.Errorf("%q is %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"9400":        `"9400" is not :PORT, for 127.0.0.1, or ADDRESS:PORT`,
		"localhost":   `"localhost" is not :PORT, for 127.0.0.1, or ADDRESS:PORT`,
		"::1:9400":    `"::1:9400" is not :PORT, for 127.0.0.1, or ADDRESS:PORT`,
		":65536":      `":65536": a port is a number from 0 (any free one) to 65535`,
		":http":       `":http": a port is a number from 0 (any free one) to 65535`,
		":":           `":": a port is a number from 0 (any free one) to 65535`,
		"127.0.0.1:-": `"127.0.0.1:-": a port is a number from 0 (any free one) to 65535`,
	} {
		if got, err := Address(text); err == nil || err.Error() != want {
			t.Errorf("%q is %q, %v, want %s", text, got, err, want)
		}
	}
}

func serve(t *testing.T, m *Metrics) *Server {
	t.Helper()
	s, err := m.Serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAddressInUse holds the words where nothing can listen.
func TestAddressInUse(t *testing.T) {
	m := New(Options{})
	s := serve(t, m)
	defer s.Close()
	if _, err := m.Serve(s.Address); err == nil || err.Error() != s.Address+" is in use: another program listens there" {
		t.Errorf("%v", err)
	}
	if _, err := m.Serve("192.0.2.77:9400"); err == nil || err.Error() != "192.0.2.77:9400: this machine has no such address" {
		t.Errorf("%v", err)
	}
}

// TestClientFaults has clients do what they should not. Whatever they do, others are
// answered, and nothing is left of them when the server has closed: the test would not end.
func TestClientFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := newPipes()
		s := New(Options{}).answer(listener, serving)
		dial := func() net.Conn {
			c := listener.dial()
			if err := c.SetDeadline(time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			return c
		}
		for name, says := range map[string]string{
			"nothing":          "",
			"half a header":    "GET /metrics HTTP/1.1\r\nHost: x\r\n",
			"no HTTP":          "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
			"a long header":    "GET /metrics HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("y", 4*maxRequest) + "\r\n\r\n",
			"no body":          "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n",
			"no host":          "GET /metrics HTTP/1.1\r\n\r\n",
			"nothing any more": "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
		} {
			c := dial()
			go io.WriteString(c, says) // the server may close before it is read
			answer, err := io.ReadAll(c)
			if e, late := err.(net.Error); late && e.Timeout() {
				t.Errorf("%s: the connection stays open", name)
			}
			if strings.Contains(string(answer), "rdmacap_") {
				t.Errorf("%s is answered with %.60q", name, answer)
			}
			c.Close()
		}
		open := dial() // in the midst of a request when the server closes
		fmt.Fprint(open, "GET /healthz HTTP/1.1\r\n")
		s.Close()
		if rest, err := io.ReadAll(open); err == nil && len(rest) > 0 {
			t.Errorf("%q", rest)
		}
		open.Close()
	})
}

// TestClosed holds that nothing listens any more when a server has closed.
func TestClosed(t *testing.T) {
	s := serve(t, New(Options{}))
	s.Close()
	if c, err := net.Dial("tcp", s.Address); err == nil {
		c.Close()
		t.Error("something still listens")
	}
}

// TestScrapedWhileRunning has several ask for everything while frames come.
func TestScrapedWhileRunning(t *testing.T) {
	m, live := watching(io.Discard, Options{Interfaces: []string{"mirror0"}})
	m.Began()
	s := serve(t, m)
	defer s.Close()
	over := make(chan struct{})
	var asking sync.WaitGroup
	for _, path := range []string{"/metrics", "/metrics", "/", "/readyz"} {
		asking.Go(func() {
			for asked := 0; ; asked++ {
				select {
				case <-over:
					if asked == 0 {
						t.Error("nothing was asked for ", path)
					}
					return
				default:
				}
				r, err := http.Get("http://" + s.Address + path)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(r.Body)
				r.Body.Close()
				if err != nil || r.StatusCode != 200 || len(body) == 0 {
					t.Errorf("%s: %v, status %d, %d bytes", path, err, r.StatusCode, len(body))
				}
			}
		})
	}
	n := play(t, "rxe-cb", live, func(f *capture.Frame) {
		if f.Number%100 == 0 {
			m.Interface("mirror0", "")
			time.Sleep(time.Millisecond)
		}
	}).Frames
	close(over)
	asking.Wait()
	if v := series(t, m)["frames_total"]; v != float64(n) {
		t.Errorf("%v frames counted of %d", v, n)
	}
}

// TestSlowReaders has as many clients as there may be ask and not read: analysis goes on
// meanwhile, others are answered at once, and the slow ones are cut. A pipe takes nothing that
// is not read, and the time is the test's: neither the kernel's buffers nor the speed of the
// machine matter.
func TestSlowReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, live := watching(io.Discard, Options{})
		listener := newPipes()
		s := m.answer(listener, serving)
		defer s.Close()
		var slow []net.Conn
		for i := range serving.connections {
			c := listener.dialFrom(clientAt(i / serving.ofOne))
			defer c.Close()
			fmt.Fprint(c, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
			slow = append(slow, c)
		}
		synctest.Wait()
		began := time.Now()
		if got := listener.status(t); got != http.StatusOK {
			t.Errorf("status %d while as many answers as may be wait for their readers", got)
		}
		play(t, "rxe-cb", live, nil)
		if v := series(t, m)["frames_total"]; v != 585 {
			t.Errorf("%v frames were counted meanwhile", v)
		}
		if got := listener.status(t); got != http.StatusOK {
			t.Errorf("status %d before the time of the slow readers is over", got)
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("others wait %v for slow readers", waited)
		}
		time.Sleep(serving.write)
		synctest.Wait()
		for i, c := range slow {
			if rest, err := io.ReadAll(c); len(rest) > 0 || err != nil {
				t.Errorf("slow reader %d is still answered: %.40q, %v", i, rest, err)
			}
		}
	})
}

// TestIdleClients has clients hold as many connections as there may be and ask nothing, half of
// something, or nothing further: whoever else asks is answered at once, the same client too,
// and only the connections that are idle for the longest are closed for it.
func TestIdleClients(t *testing.T) {
	for name, says := range map[string]string{
		"nothing":       "",
		"half a header": "GET /metrics HTTP/1.1\r\nHost: x\r\n",
		"no more":       "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		for _, of := range []struct{ clients, each int }{
			{1, serving.ofOne}, {serving.connections / serving.ofOne, serving.ofOne}, {serving.connections, 1},
		} {
			t.Run(fmt.Sprintf("%s, %d clients", name, of.clients), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { holdIdle(t, says, of.clients, of.each) })
			})
		}
	}
}

// holdIdle is TestIdleClients for clients with so many connections each, on which they say
// something.
func holdIdle(t *testing.T, says string, clients, each int) {
	listener := newPipes()
	s := New(Options{}).answer(listener, serving)
	defer s.Close()
	over := make([]chan struct{}, clients*each)
	for i := range over {
		c := listener.dialFrom(clientAt(i / each))
		defer c.Close()
		over[i] = make(chan struct{})
		go func() {
			fmt.Fprint(c, says)
			_, _ = io.Copy(io.Discard, c)
			close(over[i])
		}()
		synctest.Wait() // so that the first is idle for the longest
	}
	began := time.Now()
	for _, from := range []string{clientAt(0), clientAt(clients)} {
		c := listener.dialFrom(from)
		fmt.Fprint(c, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %+v", from, err, r)
		}
		synctest.Wait() // the server has closed it, which makes room for the next
		c.Close()
	}
	if waited := time.Since(began); waited != 0 {
		t.Errorf("answers come after %v", waited)
	}
	for i := range over {
		select {
		case <-over[i]:
			if i > 0 {
				t.Errorf("connection %d was closed, which is not idle for the longest", i)
			}
		default:
			if i == 0 {
				t.Error("the connection that is idle for the longest is open")
			}
		}
	}
	time.Sleep(max(serving.idle, serving.header, serving.read))
	synctest.Wait()
	for i := range over {
		select {
		case <-over[i]:
		default:
			t.Errorf("connection %d stays open", i)
		}
	}
}

// TestClientOf holds who counts as one client.
func TestClientOf(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:1": "loopback", "127.9.9.9:2": "loopback", "[::1]:3": "loopback", "[::ffff:127.0.0.2]:4": "loopback",
		"192.0.2.1:5": "192.0.2.1", "[::ffff:192.0.2.1]:6": "192.0.2.1",
		"[2001:db8::1]:7": "2001:db8::/64", "[2001:db8::ffff:0:1]:8": "2001:db8::/64", "[fe80::1%eth0]:9": "fe80::/64",
	} {
		if got := clientOf(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}

// TestHost holds that on a loopback address only who asked for one is answered, and elsewhere
// everybody.
func TestHost(t *testing.T) {
	hosts := map[string]int{
		"localhost:9400": 200, "LocalHost:9400": 200, "127.0.0.1:9400": 200, "[::1]:9400": 200, "127.0.0.2:9400": 200,
		"attacker.example:9400": 421, "attacker.example": 421, "localhost": 421, "127.0.0.1": 421, "localhost:9401": 421, "[::1]": 421,
		"localhost.attacker.example:9400": 421, "127.0.0.1.attacker.example:9400": 421, "192.0.2.1:9400": 421, "": 421, ":9400": 421,
	}
	ask := func(at, path, host string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", path, nil)
		r.Host = host
		local(New(Options{}).handler(), net.TCPAddrFromAddrPort(netip.MustParseAddrPort(at))).ServeHTTP(w, r)
		return w
	}
	for host, want := range hosts {
		for _, path := range []string{"/", "/metrics", "/healthz", "/none"} {
			for _, at := range []string{"127.0.0.1:9400", "[::1]:9400"} {
				got, want := ask(at, path, host), want
				if want == 200 && path == "/none" {
					want = 404
				}
				if got.Code != want {
					t.Errorf("%s at %s for Host %q: status %d, want %d", path, at, host, got.Code, want)
				}
				if want == 421 && !strings.Contains(got.Body.String(), "localhost:9400, 127.0.0.1:9400 or [::1]:9400") {
					t.Errorf("%q says %q", host, got.Body)
				}
			}
		}
		for _, at := range []string{"0.0.0.0:9400", "192.0.2.1:9400", "[::]:9400"} {
			if got := ask(at, "/healthz", host); got.Code != 200 {
				t.Errorf("/healthz at %s for Host %q: status %d", at, host, got.Code)
			}
		}
	}
	for host, want := range map[string]int{"localhost": 200, "[::1]": 200, "::1": 200, "localhost:80": 200, "attacker.example": 421} {
		if got := ask("127.0.0.1:80", "/healthz", host); got.Code != want {
			t.Errorf("at port 80 for Host %q: status %d, want %d", host, got.Code, want)
		}
	}
}

// TestHostServed holds that a server on a loopback address looks at the Host.
func TestHostServed(t *testing.T) {
	s := serve(t, New(Options{}))
	defer s.Close()
	for host, want := range map[string]int{"": 200, "attacker.example": 421} {
		r, err := http.NewRequest("GET", "http://"+s.Address+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host // "" for that of the address
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != want || got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("Host %q: status %d, %v", host, got.StatusCode, got.Header)
		}
	}
}

// pipes is a listener whose connections are pipes, without buffers.
type pipes struct {
	dialed chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{dialed: make(chan net.Conn), closed: make(chan struct{})} }

// dial connects, and returns the client's end when the server has taken its own.
func (p *pipes) dial() net.Conn { return p.dialFrom("198.51.100.1:1") }

func (p *pipes) dialFrom(address string) net.Conn {
	client, server := net.Pipe()
	p.dialed <- from{server, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))}
	return client
}

// from is a pipe of which the other end has an address.
type from struct {
	net.Conn
	address net.Addr
}

func (c from) RemoteAddr() net.Addr { return c.address }

// clientAt is the address of one of several.
func clientAt(number int) string { return fmt.Sprintf("192.0.2.%d:1", number+1) }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialed:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Net: "pipe"} }

// status asks for figures, reads all of the answer, and returns its status.
func (p *pipes) status(t *testing.T) int {
	t.Helper()
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return p.dial(), nil },
	}}
	r, err := client.Get("http://x/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode
}
