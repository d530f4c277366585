// Package metrics counts what live output tells, for monitoring: as Prometheus scrapes
// it, and on a page for people.
//
//	check.Check ──View──> Metrics ──copied──> collector ──exposition──> GET /metrics
//	capture/live ──Watch──────┘  │                  │    └──────────────────> GET /
//	                             │       process ───┘
//	                             └── Ready ─────────────────────────────────> GET /healthz, /readyz
//
// What a frame, message or RPC adds is added under one lock, to plain numbers, and nothing
// is allocated for it. Where several workers follow connections, each counts for itself, and
// the lock is taken when a batch of frames is done. Whoever asks gets a copy, and is then written to without the
// lock: a slow reader holds up nobody. How many series there are has a limit, whatever is
// on the wire: what has no series of its own is counted as "other".
package metrics
