package browser

import "strings"

// codes are the key codes of keys that are no letters.
var codes = map[string]int{
	"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
	"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}

// Press presses keys by their names in KeyboardEvent.key, with Shift+ before it
// where that is held.
func (p *Page) Press(keys ...string) {
	p.tb.Helper()
	for _, key := range keys {
		name, shift := strings.CutPrefix(key, "Shift+")
		params := Params{"type": "keyDown", "key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
		switch {
		case shift:
			params["modifiers"] = 8
		case name == "Enter":
			params["text"] = "\r"
		case len(name) == 1:
			params["text"] = name
		}
		p.call("Input.dispatchKeyEvent", params, nil)
		params["type"] = "keyUp"
		delete(params, "text")
		p.call("Input.dispatchKeyEvent", params, nil)
	}
}

// Type writes text to where the focus is.
func (p *Page) Type(text string) {
	p.tb.Helper()
	p.call("Input.insertText", Params{"text": text}, nil)
}

// Move moves the mouse to a place in sight.
func (p *Page) Move(x, y float64) { p.tb.Helper(); p.mouse("mouseMoved", x, y, "none", 0) }

// Hover moves the mouse to the middle of what a selector finds first, and scrolls
// there if need be.
func (p *Page) Hover(selector string) {
	p.tb.Helper()
	p.Move(p.Middle(selector))
}

// Click clicks in the middle of what a selector finds first.
func (p *Page) Click(selector string) {
	p.tb.Helper()
	x, y := p.Middle(selector)
	p.Drag(x, y, x, y)
}

// Middle scrolls to what a selector finds first, and is the middle of it, once it stays
// where it is: of its first line, if it has several.
func (p *Page) Middle(selector string) (x, y float64) {
	p.tb.Helper()
	var at *[2]float64
	p.Eval(&at, `(async () => {
		const e = document.querySelector(`+JS(selector)+`);
		const place = () => {
			e.scrollIntoView({ block: "center" });
			const r = e.getClientRects()[0];
			return r ? [r.x + r.width / 2, r.y + r.height / 2] : null;
		};
		let at = e && place();
		for (let same = 0; at && same < 3; ) {
			await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			const now = place();
			same = String(now) === String(at) ? same + 1 : 0;
			at = now;
		}
		return at;
	})()`)
	if at == nil {
		p.tb.Fatalf("nothing in sight is %s", selector)
	}
	return at[0], at[1]
}

// Drag presses the button of the mouse at a place and lets it go at another.
func (p *Page) Drag(fromX, fromY, toX, toY float64) {
	p.tb.Helper()
	p.Move(fromX, fromY)
	p.mouse("mousePressed", fromX, fromY, "left", 1)
	const steps = 4 // on the way
	for i := 1; i <= steps && (fromX != toX || fromY != toY); i++ {
		part := float64(i) / steps
		p.mouse("mouseMoved", fromX+(toX-fromX)*part, fromY+(toY-fromY)*part, "left", 1)
	}
	p.mouse("mouseReleased", toX, toY, "left", 0)
}

func (p *Page) mouse(event string, x, y float64, button string, buttons int) {
	p.tb.Helper()
	params := Params{"type": event, "x": x, "y": y, "button": button, "buttons": buttons}
	if event != "mouseMoved" {
		params["clickCount"] = 1
	}
	p.call("Input.dispatchMouseEvent", params, nil)
	p.x, p.y = x, y
}

// Wheel turns the wheel where the mouse is.
func (p *Page) Wheel(down float64) {
	p.tb.Helper()
	p.call("Input.dispatchMouseEvent", Params{"type": "mouseWheel", "x": p.x, "y": p.y, "deltaX": 0, "deltaY": down}, nil)
}
