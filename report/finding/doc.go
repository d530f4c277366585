// Package finding is the model of what the rules find: findings with what explains them,
// what each connection and the whole capture came to, and what could not be checked.
//
//	dissect ──> rules.Checker ──> Findings ──> Form: rows, records, page, comments
//
// The model is handed to a Form when a connection is over (Found) and when all is (Ending);
// Live hands a LiveForm each finding as soon as it is said, too. A form owns nothing of
// it, and the model knows no form.
package finding
