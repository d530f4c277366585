//go:build schema

package main

// The source of this package has the schema of OASIS, which TestSARIF reads. The build
// tag is never set: nothing of it is compiled, nor of what it needs, but go.mod requires it.
import _ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
