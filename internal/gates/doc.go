// Command limitations counts what check still finds in captures that lack something. After forty
// healthy RPCs it puts each sample that a rule fires on, takes from the capture what bad
// capturing takes, and asks the rules again:
//
//	sample ──> after healthy RPCs ──> whole ────────> is it found?  then it is a scenario
//	                               └─> treatments ───> is it found still, certain or likely?
//
//	go run ./internal/limitations [-v] [-rules DDP,HDR-010]
//
// A scenario is provable under a treatment as long as all frames are left that the finding
// of the whole capture names, and nothing that its rule has to know besides is gone
// (needs.go says what that is, rule by rule). It prints, by family, how many are found of those
// whose frames are all left, and in brackets how many are missed: provable, and not found. It
// prints each error that is certain and that the whole capture does not have: there may
// be none.
//
// Exit status: 0; 1 if there was such an error; 2 if it could not be measured.
package main
