// Package long tells tests how much they are to do. What takes seconds is done by
//
//	go test ./...
//
// and what takes minutes, as thousands of random conversations or a page with 100,000
// RPCs, by
//
//	go test -tags long -timeout 30m ./...
package long

// Pick is how much a test is to do: some of it, or all of it with the build tag long.
func Pick[T any](some, all T) T {
	if Tests {
		return all
	}
	return some
}
