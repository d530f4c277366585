// Package draft lets rows and records be written where connections are followed apart.
//
// Each shard drafts those of its own, complete but for blanks: the places of what only the
// order of the capture decides, such as the numbers of connections. After the shards,
// in that order, a form fills in the blanks and writes.
//
//	shard ──> Part ──> Draft (bytes, blanks) ──> Output.Fill ──> the form's own buffer
package draft
