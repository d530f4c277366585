// Package check runs the rules over what is dissected, wherever connections are followed, and
// hands what they say to the model:
//
//	dissect ──> Check ─┬─> Form.Rows                 what is listed, while it comes
//	                   ├─> rules.Checker ──> rules.CrossConnection ──> finding.Collector ──> Form
//	                   └─> View.All                  screens, counts
//
// Where connections are followed apart, each shard has a Part with a Checker of its own, and
// drafts of the form; what it posts and drafts, and what Notes of views have of it, is put
// together in the order of the capture. A form that writes findings at once (draft.Live), and
// views, get them as soon as they are made. Check knows no form: what one needs, it says
// as data (draft.Form).
package check
