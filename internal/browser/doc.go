// Package browser drives a headless Chromium for tests: it opens pages, presses
// keys, moves the mouse, and gathers what a page says and asks for.
//
//	Start ─> Browser ── pipe, JSON of the DevTools protocol ── chromium --headless
//	            └── Page: a tab of its own, with nothing in store
//	                  ├── Open, Eval, Wait, Press, Type, Click, Hover, Drag, Wheel
//	                  ├── Screenshot, PDF, Media, Size, Call (all else of the protocol)
//	                  └── Said, Requests, Printed …: what was gathered
//
// The protocol is https://chromedevtools.github.io/devtools-protocol/. Whatever
// goes wrong ends the test; nothing takes longer than a limit, and the browser is
// gone when the test is over.
package browser
