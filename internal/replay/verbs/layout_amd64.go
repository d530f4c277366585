//go:build linux && !noverbs

package verbs

const (
	// contextABI is where the ibv_context has abi_compat.
	contextABI = 320
	// leastContext is how long a verbs_context is that has the functions of flows.
	leastContext = 408
)
