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
// With -program RDMACAP the program runs on a file of each case too: what replay, export,
// annotate and live do must end by itself, with an exit status of its own, and within the
// memory and the processor time that internal/hostile allows.
//
// Each is named by sample, sort and number, and -only plays one again. Exit status: 0; 1
// if a case failed; 2 if the samples could not be read.
package main
