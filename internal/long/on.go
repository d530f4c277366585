//go:build long

package long

// Tests is whether tests are wanted that take long.
const Tests = true
