// Command badly holds check and read to what bad capturing may not change. It takes
// captures that ship, captures them badly, one sort of it or two at a time, and asks of
// each case what holds whatever the capture lacks:
//
//   - no error is certain that is not found in the whole capture;
//   - every RPC that is called complete is one of the whole capture, equal in every field
//     but frame numbers, times and the number of its connection.
//
// The cases follow from the seed:
//
//	go run ./internal/badly -cases 10000 -seed 1
//
// Each is named by sample, sort and number, and -only plays one again. Exit status: 0; 1
// if a case failed; 2 if the samples could not be read.
package main
