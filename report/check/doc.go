// Package check runs the rules over what is dissected, wherever connections are followed, and
// hands what they say to the model:
//
//	dissect ──> rules.Checker, one a shard ──> rules.Across ──> finding.Collector ──> Form
//
// A Check does so until the captures are over; a Live tells each finding as soon as it is
// said, too. Neither knows a form.
package check
