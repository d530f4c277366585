//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// prometheus is one that scrapes instances.
type prometheus struct {
	dir       string
	every     time.Duration
	targets   string // the address of all
	instances int
	address   string
	cmd       *exec.Cmd
	begun     time.Time
}

// start starts it, with the alerts.
func (p *prometheus) start(ctx context.Context) error {
	rules, err := filepath.Abs(filepath.Join("docs", "monitoring", "rdmacap.rules.yml"))
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.address = l.Addr().String()
	l.Close()
	var config strings.Builder
	fmt.Fprintf(&config, "global: {scrape_interval: %s, evaluation_interval: %[1]s}\nrule_files: [%q]\n", p.every, rules)
	config.WriteString("scrape_configs:\n  - job_name: rdmacap\n    honor_labels: true\n    static_configs:\n")
	for i := range p.instances {
		fmt.Fprintf(&config, "      - {targets: [%q], labels: {__metrics_path__: /%d, instance: 'leaf%[2]d:9400', host: leaf%[2]d, interface: mirror0}}\n", p.targets, i)
	}
	file := filepath.Join(p.dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		return err
	}
	p.cmd = exec.CommandContext(ctx, "prometheus", "--config.file="+file, "--storage.tsdb.path="+filepath.Join(p.dir, "data"),
		"--web.listen-address="+p.address, "--log.level=error")
	p.cmd.Stderr = os.Stderr
	p.begun = time.Now()
	return p.cmd.Start()
}

func (p *prometheus) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // if it has not ended
	_ = p.cmd.Wait()
}

// report prints what it says of itself, and what is on the disk.
func (p *prometheus) report() error {
	text, err := get("http://" + p.address + "/metrics")
	if err != nil {
		return err
	}
	lasted := time.Since(p.begun).Seconds()
	v := make(map[string]float64)
	for _, name := range []string{
		"process_resident_memory_bytes", "process_cpu_seconds_total", "prometheus_tsdb_head_series",
		"prometheus_tsdb_head_samples_appended_total", "prometheus_rule_group_iterations_missed_total",
	} {
		m := regexp.MustCompile(`(?m)^` + name + `(?:\{[^}]*\})? (.*)$`).FindStringSubmatch(text)
		if m == nil {
			return fmt.Errorf("prometheus has no %s", name)
		}
		if v[name], err = strconv.ParseFloat(m[1], 64); err != nil {
			return err
		}
	}
	samples := v["prometheus_tsdb_head_samples_appended_total"]
	if samples == 0 {
		return errors.New("prometheus has no samples")
	}
	disk, err := sizeOf(filepath.Join(p.dir, "data"))
	if err != nil {
		return err
	}
	cpu := v["process_cpu_seconds_total"]
	fmt.Printf("series %.0f, samples %.0f in %.0f s\n", v["prometheus_tsdb_head_series"], samples, lasted)
	fmt.Printf("resident %.0f MB\n", v["process_resident_memory_bytes"]/1e6)
	fmt.Printf("processor %.1f s: %.2f of one, %.2f µs for each sample\n", cpu, cpu/lasted, cpu/samples*1e6)
	fmt.Printf("disk %.1f MB: %.2f bytes for each sample\n", disk/1e6, disk/samples)
	fmt.Printf("missed evaluations %.0f\n", v["prometheus_rule_group_iterations_missed_total"])
	return nil
}

// sizeOf is what the files in a folder take of the disk, in bytes.
func sizeOf(dir string) (bytes float64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was there
		}
		if err != nil {
			return err
		}
		if s, is := info.Sys().(*syscall.Stat_t); is {
			bytes += 512 * float64(s.Blocks)
		}
		return nil
	})
	return bytes, err
}
