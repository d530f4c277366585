package metrics

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// monitoring is the folder with what Prometheus, Grafana and systemd are given.
const monitoring = "../../docs/monitoring"

// tool is the path of a program of Debian's package of Prometheus; the test is skipped
// where there is none.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (Debian: apt install prometheus): %v", name, err)
	}
	return path
}

// TestPromtool has promtool read the alerts, run their tests, and read what is scraped.
func TestPromtool(t *testing.T) {
	promtool := tool(t, "promtool")
	m, live := watching(io.Discard, Options{Interfaces: []string{"mirror0"}})
	play(t, "rxe-cb", live, nil)
	text := ofProcess.ReplaceAllString(ask(t, m.Handler(), "GET", "/metrics").body, "")
	for _, args := range []string{
		"check rules rdmacap.rules.yml", "test rules rdmacap.rules.test.yml", "check metrics",
	} {
		cmd := exec.Command(promtool, strings.Fields(args)...)
		cmd.Dir, cmd.Stdin = monitoring, strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", args, err, out)
		}
	}
}

// A prometheus is one that runs.
type prometheusServer struct{ address string }

// start starts a Prometheus that scrapes an address often, and ends with the test.
func start(t *testing.T, target string) *prometheusServer {
	t.Helper()
	program := tool(t, "prometheus")
	rules, err := filepath.Abs(filepath.Join(monitoring, "rdmacap.rules.yml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := "global: {evaluation_interval: 200ms}\n" + strings.NewReplacer("rdmacap.rules.yml", rules, "15s", "200ms",
		"/etc/prometheus/rdmacap/*.yml", filepath.Join(dir, "targets.yml")).Replace(block(t, "many"))
	// The first target is ours, and nothing is scraped of the others.
	targets, _, _ := strings.Cut(strings.Replace(block(t, "targets"), "leaf3:9400", strconv.Quote(target), 1), "\n- targets: [leaf3:9401]")
	for path, text := range map[string]string{config: text, filepath.Join(dir, "targets.yml"): targets} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &prometheusServer{free(t)}
	ctx, end := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+p.address, "--log.level=error")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		end()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		end()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("Prometheus said: %s", said.String())
		}
	})
	return p
}

// block is the block of docs/monitoring.md that is told from others by a name.
func block(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(monitoring, "..", "monitoring.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "\n```yaml "+name+"\n")
	inside, _, whole := strings.Cut(after, "\n```\n")
	if !found || !whole {
		t.Fatalf("docs/monitoring.md has no block %q", name)
	}
	return inside
}

// free is an address of this machine on which nothing listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// get asks for a path of the API, and decodes the data of the answer.
func (p *prometheusServer) get(path string, data any) error {
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Get("http://" + p.address + path)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	var answer struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Status != "success" {
		return fmt.Errorf("status %d: %s", r.StatusCode, answer.Error)
	}
	return json.Unmarshal(answer.Data, data)
}

// query is how many series an expression gives now.
func (p *prometheusServer) query(expression string) (n int, err error) {
	var data struct{ Result []json.RawMessage }
	err = p.get("/api/v1/query?query="+url.QueryEscape(expression), &data)
	return len(data.Result), err
}

// until waits until an expression gives something.
func (p *prometheusServer) until(t *testing.T, expression string) {
	t.Helper()
	if err := p.gives(expression); err != nil {
		t.Fatal(err)
	}
}

// gives waits until an expression gives something: nothing does while the last scrape is one
// that was late, as any may be where there is other work.
func (p *prometheusServer) gives(expression string) (err error) {
	for range 600 {
		n := 0
		if n, err = p.query(expression); err == nil && n > 0 {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s gives nothing (error %v)", expression, err)
}

// TestPrometheus has a Prometheus scrape the figures while they grow. Each query of the
// dashboard gives something there, each alert is evaluated, and both name only metrics that
// exist.
func TestPrometheus(t *testing.T) {
	m, live := watching(io.Discard, Options{Interfaces: []string{"mirror0"}})
	s := serve(t, m)
	defer s.Close()
	p := start(t, s.Address)
	m.Began()
	p.until(t, "rdmacap_frames_total == 0 and count_over_time(rdmacap_frames_total[1m]) > 2")
	play(t, "rxe-cb", live, nil)
	m.errors.addName("NFS4ERR_DELAY") // which an alert asks for
	p.until(t, "rdmacap_frames_total == 585 and increase(rdmacap_frames_total[20s]) > 0")
	p.until(t, "rate(rdmacap_errors_total[20s])") // of what was not there before it takes two scrapes

	p.until(t, `rdmacap_frames_total{host="leaf3",interface="mirror0"}`)
	p.until(t, `rdmacap_interface_up{host="leaf3",interface="mirror0",exported_interface=""}`)

	var known []string
	if err := p.get("/api/v1/label/__name__/values", &known); err != nil {
		t.Fatal(err)
	}
	asked := make(map[string]bool)
	for _, q := range dashboard(t) {
		checkNames(t, q, known, asked)
		if err := p.gives(q); err != nil {
			t.Error(err)
		}
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Name, Query, Health, LastError string }
		}
	}
	if err := p.get("/api/v1/rules", &rules); err != nil {
		t.Fatal(err)
	}
	alerts := 0
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			alerts++
			if r.Health != "ok" || r.LastError != "" {
				t.Errorf("%s is %s: %s", r.Name, r.Health, r.LastError)
			}
			checkNames(t, r.Query, known, asked)
			for _, part := range selectors.FindAllString(r.Query, -1) {
				if err := p.gives(part); err != nil {
					t.Errorf("%s: %v", r.Name, err)
				}
			}
		}
	}
	if alerts < 10 || len(asked) < 20 {
		t.Errorf("%d alerts; %d metrics are asked for", alerts, len(asked))
	}
	for _, f := range gather(t, m) {
		name := f.GetName()
		if !asked[name] && !asked[name+"_bucket"] {
			t.Errorf("neither an alert nor the dashboard has %s", name)
		}
	}
}

var (
	metricNames = regexp.MustCompile(`\b(rdmacap_\w+|process_\w+|go_\w+|up)\b`)
	choice      = regexp.MustCompile(`\{host=~"\$host",interface=~"\$interface",instance=~"\$instance"`)
	selectors   = regexp.MustCompile(`\b(rdmacap_\w+|up)(\{[^}]*\})?`)
)

// TestHostOfAddress holds that a target without a host is given that of its address, and that one
// with a host keeps it: what the relabelling in docs/monitoring.md matches.
func TestHostOfAddress(t *testing.T) {
	_, text, _ := strings.Cut(block(t, "many"), "regex: ")
	text, _, _ = strings.Cut(text, "\n")
	matches := regexp.MustCompile("^(?:" + text + ")$") // Prometheus has it match all of the text
	for joined, want := range map[string]string{";leaf4:9400": "leaf4", ";[2001:db8::1]:9400": "[2001:db8::1]", ";10.0.0.3:9401": "10.0.0.3"} {
		if m := matches.FindStringSubmatch(joined); m == nil || m[1] != want {
			t.Errorf("%s: %q, want %s", joined, m, want)
		}
	}
	if m := matches.FindString("leaf3;10.0.0.3:9400"); m != "" {
		t.Errorf("leaf3 becomes %q", m)
	}
}

// checkNames complains about what is not known, and notes what was asked for.
func checkNames(t *testing.T, query string, known []string, asked map[string]bool) {
	t.Helper()
	names := metricNames.FindAllString(query, -1)
	if len(names) == 0 {
		t.Errorf("no metric is in %s", query)
	}
	for _, n := range names {
		asked[n] = true
		if !slices.Contains(known, n) {
			t.Errorf("nobody has a metric %s: %s", n, query)
		}
	}
}

// dashboard returns the queries of the dashboard, with what Grafana puts in for variables.
func dashboard(t *testing.T) (queries []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(monitoring, "rdmacap.dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct {
			ID                       int
			Type, Title, Description string
			GridPos                  struct{ X, Y, W, H int }
			Targets                  []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	variables := strings.NewReplacer("$host", ".*", "$interface", ".*", "$instance", ".+", "$__rate_interval", "20s", "$__range", "20s")
	taken, ids := make(map[[2]int]string), make(map[int]bool)
	for _, p := range d.Panels {
		if ids[p.ID] || p.Title == "" || p.Type != "row" && (p.Description == "" || len(p.Targets) == 0) {
			t.Errorf("panel %d, %q, lacks something", p.ID, p.Title)
		}
		ids[p.ID] = true
		g := p.GridPos
		for y := g.Y; y < g.Y+g.H; y++ {
			for x := g.X; x < g.X+g.W; x++ {
				at := [2]int{x, y}
				if other := taken[at]; other != "" || x >= 24 {
					t.Fatalf("%q is over %q at %v", p.Title, other, at)
				}
				taken[at] = p.Title
			}
		}
		for _, target := range p.Targets {
			if n := len(choice.FindAllString(target.Expr, -1)); n == 0 || n != len(metricNames.FindAllString(target.Expr, -1)) {
				t.Errorf("%q: a metric is not of the chosen hosts and interfaces: %s", p.Title, target.Expr)
			}
			q := variables.Replace(target.Expr)
			if strings.Contains(q, "$") {
				t.Errorf("%q: a variable is left in %s", p.Title, q)
			}
			queries = append(queries, q)
		}
	}
	if len(queries) < 20 {
		t.Errorf("%d queries", len(queries))
	}
	return queries
}

// TestDocumented holds that the manual has each metric.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/monitoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range gather(t, New(Options{Interfaces: []string{"mirror0"}})) {
		if !bytes.Contains(text, []byte("`"+f.GetName())) {
			t.Errorf("docs/monitoring.md lacks %s", f.GetName())
		}
	}
	m, live := watching(io.Discard, Options{})
	play(t, "rxe-cb", live, nil)
	for _, f := range gather(t, m) {
		if !bytes.Contains(text, []byte("`"+f.GetName())) {
			t.Errorf("docs/monitoring.md lacks %s", f.GetName())
		}
	}
}
