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

	mu                 sync.Mutex
	messages, requests []string
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
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a value that a test wrote itself
	}
	return string(data)
}

// Messages is what the page reported while it ran: messages of the console,
// exceptions, entries of the log (what a policy forbade is one), dialogs.
func (p *Page) Messages() []string { p.settle(); return p.takeLines(&p.messages) }

// WaitForMessages waits until the page has said all these words, in whatever case, and is what it
// said, a line each. Of words that never come it is the test to complain.
func (p *Page) WaitForMessages(words ...string) (said string) {
	p.tb.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		said = strings.Join(p.takeLines(&p.messages), "\n")
		missing := slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(strings.ToLower(said), strings.ToLower(w)) })
		if !missing || time.Now().After(end) {
			return said
		}
	}
}

// Requests are the addresses that the page asked for.
func (p *Page) Requests() []string { p.settle(); return p.takeLines(&p.requests) }

func (p *Page) takeLines(list *[]string) []string {
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

// event takes an event.
func (p *Page) event(method string, params json.RawMessage) {
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
	say := func(format string, v ...any) {
		p.messages = append(p.messages, strings.TrimSpace(fmt.Sprintf(format, v...)))
	}
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
