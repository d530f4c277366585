package browser

// Size is what the page has room for, in CSS pixels, and how many pixels of the
// screen each has: 200 % zoom is half the size with scale 2.
func (p *Page) Size(width, height int, scale float64) {
	p.tb.Helper()
	p.call("Emulation.setDeviceMetricsOverride", Params{"width": width, "height": height, "deviceScaleFactor": scale, "mobile": false}, nil)
}

// Media is what the page is shown on: "" or "print", with features in pairs:
// prefers-color-scheme (scheme) and others.
func (p *Page) Media(media, scheme string, features ...string) {
	p.tb.Helper()
	list := []Params{{"name": "prefers-color-scheme", "value": scheme}}
	for i := 0; i < len(features); i += 2 {
		list = append(list, Params{"name": features[i], "value": features[i+1]})
	}
	p.call("Emulation.setEmulatedMedia", Params{"media": media, "features": list}, nil)
}

// Script says whether pages that are opened from now on may run their scripts.
func (p *Page) Script(on bool) {
	p.tb.Helper()
	p.call("Emulation.setScriptExecutionDisabled", Params{"value": !on}, nil)
}

// A Box is a part of the page, in CSS pixels from its beginning.
type Box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Screenshot is a part of the page, which is in sight, as a PNG file.
func (p *Page) Screenshot(b Box) []byte {
	p.tb.Helper()
	var shot struct{ Data []byte }
	p.call("Emulation.setScrollbarsHidden", Params{"hidden": true}, nil)
	p.call("Page.captureScreenshot", Params{
		"format": "png", "clip": Params{"x": b.X, "y": b.Y, "width": b.Width, "height": b.Height, "scale": 1},
	}, &shot)
	return shot.Data
}

// PDF prints the page, on A4.
func (p *Page) PDF() []byte {
	p.tb.Helper()
	var printed struct{ Data []byte }
	p.call("Page.printToPDF", Params{"paperWidth": 8.27, "paperHeight": 11.69}, &printed)
	return printed.Data
}

// A Node is one of what a screen reader receives.
type Node struct{ Role, Name string }

// Accessible are the nodes of the page that assistive technology receives.
func (p *Page) Accessible() (list []Node) {
	p.tb.Helper()
	type value struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name value
		}
	}
	p.call("Accessibility.getFullAXTree", nil, &tree)
	for _, n := range tree.Nodes {
		role, _ := n.Role.Value.(string)
		name, _ := n.Name.Value.(string)
		if !n.Ignored {
			list = append(list, Node{role, name})
		}
	}
	return list
}
