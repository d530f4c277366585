// Command same holds a redesign to its promise that no result changes. It runs two
// builds of rdmacap over the same captures and compares what they say, byte for byte:
// standard output, standard error, exit status, and every file that they write.
//
//	go build -buildvcs=false -o OLD ./cmd/rdmacap     (before)
//	go build -buildvcs=false -o NEW ./cmd/rdmacap     (after)
//	go run ./internal/same OLD NEW
//
// The captures are those of the folder samples, folders that -more names, and the
// scenes of the rules, so that every rule speaks. Captures are compared whole and
// damaged: with lost, swapped and doubled frames, changed bytes, cut at the beginning,
// at the end and by a snap length, and with one direction only.
//
//	sample ──> variants (by seed) ──> commands ──> OLD: outcome ──┐
//	                                          └──> NEW: outcome ──┴> first difference
//
// What a run took is the only thing that may differ, and is taken out before.
//
// Exit status: 0 nothing differs; 1 something does; 2 the comparison could not be made.
package main
