package rules

import "github.com/rdmacap/rdmacap/report/finding"

// models are the findings as others receive them.
func models(list []*Finding) []*finding.Finding {
	all := make([]*finding.Finding, len(list))
	for i, f := range list {
		all[i] = &f.Finding
	}
	return all
}

// findings are those of a connection, or of the capture.
type findings struct {
	list  []*Finding
	folds map[*Rule][]fold
}

// A fold is the finding that has a key. A rule has a few.
type fold struct {
	foldKey
	finding *Finding
}

// findFinding is the finding of a rule with a key, nil if there is none.
func (b *findings) findFinding(r *Rule, key foldKey) *Finding {
	for _, x := range b.folds[r] {
		if x.direction == key.direction && x.letter == key.letter && x.severity == key.severity && x.key == key.key {
			return x.finding
		}
	}
	return nil
}

// kinds counts the findings that differ from a key in its last part only.
func (b *findings) kinds(r *Rule, key foldKey) (n int) {
	for _, x := range b.folds[r] {
		if x.direction == key.direction && x.letter == key.letter && x.severity == key.severity {
			n++
		}
	}
	return n
}

func (b *findings) addFinding(r *Rule, key foldKey, f *Finding) {
	if b.folds == nil {
		b.folds = make(map[*Rule][]fold)
	}
	b.folds[r] = append(b.folds[r], fold{key, f})
	b.list = append(b.list, f)
}
