// Package fleet has tests of what docs/fleet.md says of many captures: one per task, as Slurm, GNU
// parallel and Kubernetes distribute them. It holds no code.
package fleet
