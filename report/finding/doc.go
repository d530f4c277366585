// Package finding is the model of what the rules find, as plain data: what a rule says for a
// person, findings with what explains them, what each connection and the whole capture came to,
// and what could not be checked.
//
//	rules ──> check ──> Collector ──> Form: rows, records, page, comments
//
// The model is handed to a Form when a connection is over (Found) and when all is (Ending). A
// form owns nothing of it; the model knows neither the rules that look nor a form.
package finding
