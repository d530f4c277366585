// Package k8s has a test that holds the Job of docs/fleet.md against the types of the Kubernetes API.
// It is a module of its own: go test in its folder, which make long does.
package k8s
