//go:build !linux

package process

import "github.com/rdmacap/rdmacap/report/metrics/exposition"

// appendProcess appends nothing: only Linux has /proc.
func appendProcess(families []exposition.Family) []exposition.Family { return families }
