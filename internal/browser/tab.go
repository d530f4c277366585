package browser

import "testing"

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
	p.messages, p.requests, p.x, p.y = nil, nil, 0, 0
	return nil
}
