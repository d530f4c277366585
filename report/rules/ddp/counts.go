package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// countFields are the fields that say how long an eligible result may be.
func countFields() []string {
	return []string{"readargs.count", "READ3args.count", "READ4args.count", "READ_PLUS4args.rpa_count"}
}

// isCount reports whether an event of a body is a value of one of countFields.
func (t *types) isCount(b *dissect.Body, e *walk.Event) bool {
	if e.Kind != walk.Value {
		return false
	}
	if t.counts == nil {
		for _, name := range countFields() {
			t.counts = append(t.counts, values.FieldOf(name))
		}
	}
	for i := range t.counts {
		if t.counts[i].Is(b, e) {
			return true
		}
	}
	return false
}
