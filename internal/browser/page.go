package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Params are those of a command of the protocol.
type Params map[string]any

// A Page is a tab.
type Page struct {
	tb               testing.TB
	browser          *Browser
	context, session string
	changed          bool    // in a way that is not known here
	x, y             float64 // where the mouse is

	mu             sync.Mutex
	said, requests []string
}

// Page is a tab that shares nothing with others, 1280 by 900 pixels, light. What goes
// wrong there ends the test tb. When the test is over the next one may have the tab, with
// nothing in store: to open a tab, in a window of its own, takes as long as many a test.
func (b *Browser) Page(tb testing.TB) *Page {
	tb.Helper()
	p := b.idlePage()
	if p == nil {
		p = b.newPage(tb)
	}
	p.tb = tb
	tb.Cleanup(func() {
		if tb.Failed() || p.changed || p.clear() != nil {
			_ = b.call("", "Target.disposeBrowserContext", Params{"browserContextId": p.context}, nil)
			return
		}
		b.mu.Lock()
		b.idle = append(b.idle, p)
		b.mu.Unlock()
	})
	p.Size(1280, 900, 1)
	p.Media("", "light")
	return p
}

func (b *Browser) idlePage() (p *Page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.idle); n > 0 {
		p, b.idle = b.idle[n-1], b.idle[:n-1]
	}
	return p
}

func (b *Browser) newPage(tb testing.TB) *Page {
	tb.Helper()
	ask := func(method string, params Params, result any) {
		tb.Helper()
		if err := b.call("", method, params, result); err != nil {
			tb.Fatal(err)
		}
	}
	var context struct{ BrowserContextID string }
	var target struct{ TargetID string }
	var session struct{ SessionID string }
	ask("Target.createBrowserContext", Params{}, &context)
	ask("Target.createTarget", Params{"url": "about:blank", "browserContextId": context.BrowserContextID}, &target)
	ask("Target.attachToTarget", Params{"flatten": true, "targetId": target.TargetID}, &session)
	p := &Page{tb: tb, browser: b, context: context.BrowserContextID, session: session.SessionID}
	b.mu.Lock()
	b.pages[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		p.call(domain+".enable", nil, nil)
	}
	p.call("Emulation.setFocusEmulationEnabled", Params{"enabled": true}, nil) // another window may be in front
	return p
}

// clear makes a tab what it was when it was new.
func (p *Page) clear() error {
	for _, c := range []struct {
		method string
		params Params
	}{
		{"Runtime.evaluate", Params{"expression": "localStorage.clear(); sessionStorage.clear()"}},
		{"Emulation.setScriptExecutionDisabled", Params{"value": false}},
		{"Emulation.setScrollbarsHidden", Params{"hidden": false}},
		{"Page.navigate", Params{"url": "about:blank"}},
	} {
		if err := p.browser.call(p.session, c.method, c.params, nil); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said, p.requests, p.x, p.y = nil, nil, 0, 0
	return nil
}

// Call asks for any command of the protocol. No other test has the tab afterwards.
func (p *Page) Call(method string, params Params, result any) {
	p.tb.Helper()
	p.changed = true
	p.call(method, params, result)
}

func (p *Page) call(method string, params Params, result any) {
	p.tb.Helper()
	if params == nil {
		params = Params{}
	}
	if err := p.browser.call(p.session, method, params, result); err != nil {
		p.tb.Fatal(err)
	}
}

// Open goes to an address and waits until the page is loaded.
func (p *Page) Open(url string) {
	p.tb.Helper()
	var went struct{ ErrorText string }
	p.call("Page.navigate", Params{"url": url}, &went)
	if went.ErrorText != "" {
		p.tb.Fatalf("%s: %s", url, went.ErrorText)
	}
	p.Wait("the page is loaded", `document.readyState === "complete"`)
}

// Eval runs an expression of JavaScript, waits for it if it is a promise, and takes
// its value as JSON; v may be nil.
func (p *Page) Eval(v any, js string) {
	p.tb.Helper()
	var r struct {
		Result    struct{ Value json.RawMessage }
		Exception *struct {
			Text      string
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
	}
	p.call("Runtime.evaluate", Params{"expression": js, "awaitPromise": true, "returnByValue": true}, &r)
	if r.Exception != nil {
		p.tb.Fatalf("%s\n%s %s", js, r.Exception.Text, r.Exception.Exception.Description)
	}
	if v == nil {
		return
	}
	if len(r.Result.Value) == 0 {
		r.Result.Value = json.RawMessage("null")
	}
	if err := json.Unmarshal(r.Result.Value, v); err != nil {
		p.tb.Fatalf("%s is %s: %v", js, r.Result.Value, err)
	}
}

// Text is the value of an expression that is a string, Number of one that is a
// number, Is of one that is true or false.
func (p *Page) Text(js string) (s string)    { p.tb.Helper(); p.Eval(&s, js); return s }
func (p *Page) Number(js string) (n float64) { p.tb.Helper(); p.Eval(&n, js); return n }
func (p *Page) Is(js string) (is bool)       { p.tb.Helper(); p.Eval(&is, "Boolean("+js+")"); return is }

// Wait waits until an expression is true; what says in words what that means.
func (p *Page) Wait(what, js string) {
	p.tb.Helper()
	for end := time.Now().Add(limit); !p.Is(js); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.tb.Fatalf("it is not so in %v that %s: %s", limit, what, js)
		}
	}
}

// JS writes a value as JavaScript.
func JS(v any) string {
	octets, err := json.Marshal(v)
	if err != nil {
		panic(err) // a value that a test wrote itself
	}
	return string(octets)
}

// Said is what the page said to who looks behind it: messages of the console,
// exceptions, entries of the log (what a policy forbade is one), dialogs.
func (p *Page) Said() []string { p.settle(); return p.take(&p.said) }

// Hear waits until the page has said all these words, in whatever case, and is what it
// said, a line each. Of words that never come it is the test to complain.
func (p *Page) Hear(words ...string) (said string) {
	p.tb.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		said = strings.Join(p.take(&p.said), "\n")
		missing := slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(strings.ToLower(said), strings.ToLower(w)) })
		if !missing || time.Now().After(end) {
			return said
		}
	}
}

// Requests are the addresses that the page asked for.
func (p *Page) Requests() []string { p.settle(); return p.take(&p.requests) }

func (p *Page) take(list *[]string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), *list...)
}

// settle lets the page say what it is about to say.
func (p *Page) settle() {
	p.tb.Helper()
	time.Sleep(100 * time.Millisecond)
	p.Eval(nil, "0")
}

// heard takes an event.
func (p *Page) heard(method string, params json.RawMessage) {
	var e struct {
		Type, Message string
		Args          []struct {
			Value       any
			Description string
		}
		Exception struct {
			Text      string
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
		Entry   struct{ Source, Level, Text string }
		Request struct{ URL string }
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	say := func(format string, v ...any) { p.said = append(p.said, strings.TrimSpace(fmt.Sprintf(format, v...))) }
	switch method {
	case "Runtime.consoleAPICalled":
		words := ""
		for _, a := range e.Args {
			if a.Value == nil {
				a.Value = a.Description
			}
			words += fmt.Sprint(" ", a.Value)
		}
		say("console %s:%s", e.Type, words)
	case "Runtime.exceptionThrown":
		say("exception: %s %s", e.Exception.Text, e.Exception.Exception.Description)
	case "Log.entryAdded":
		say("log %s %s: %s", e.Entry.Source, e.Entry.Level, e.Entry.Text)
	case "Page.javascriptDialogOpening":
		say("dialog %s: %s", e.Type, e.Message)
		go func() { // it is answered beside, or the page stands still
			_ = p.browser.call(p.session, "Page.handleJavaScriptDialog", Params{"accept": false}, nil)
		}()
	case "Network.requestWillBeSent":
		p.requests = append(p.requests, e.Request.URL)
	}
}
