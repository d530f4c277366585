// Package process has what Prometheus learns of this process and of the Go runtime:
// process_… and go_… metrics. Their names, help texts and values are those of
// github.com/prometheus/client_golang with its default collectors, which dashboards and
// alerts for any Go program count on.
package process
