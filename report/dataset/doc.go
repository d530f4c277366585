// Package dataset is the form of what captures hold for those who ask of many captures at once:
// Parquet files of RPCs, messages, frames, connections and findings, a directory for each, partitioned
// by host and date as Hive has it. Columns are the members of JSON records, as package query lists
// them; files are written by parquet-go.
//
// Shards append rows to their drafts in an encoding of this package, between the JSON records of
// findings and connections, which package record writes. What comes of them, in the order of the
// capture, is put into columns here, batch by batch.
package dataset
