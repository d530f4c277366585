package draft

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Form is a form of findings, with what drafts of it the shards write.
type Form struct {
	finding.Form
	// Announcing returns what drafts the records of connections of a shard as they are
	// announced. It is nil if the form writes none.
	Announcing func(d *dissect.Dissector) *Part
}
