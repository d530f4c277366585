package rpcs

// seconds is a time in nanoseconds for a machine, to a millisecond.
func seconds(ns int64) float64 { return float64(ns/1e6) / 1e3 }
