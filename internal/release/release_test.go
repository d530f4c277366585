package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestChosen holds which targets a list names.
func TestChosen(t *testing.T) {
	all, err := chosen("")
	if err != nil || len(all) != len(targets()) {
		t.Errorf("all: %v, %v", all, err)
	}
	some, err := chosen("linux-amd64-static,windows-amd64")
	if err != nil || len(some) != 2 || !some[0].static || some[1].program() != "rdmacap.exe" {
		t.Errorf("two: %v, %v", some, err)
	}
	if _, err := chosen("linux-amd64,plan9"); err == nil {
		t.Error("plan9 was taken for a target")
	}
}

// TestPackageVersion holds how packages number releases, and what is between two.
func TestPackageVersion(t *testing.T) {
	for version, want := range map[string]string{
		"0.7.0":                               "0.7.0",
		"0.7.0-rc.1":                          "0.7.0~rc.1",
		"0.7.1-0.20261130005918-f2e864c5edc7": "0.7.1~0.20261130005918.f2e864c5edc7",
	} {
		if got := (&release{version: version}).packageVersion(); got != want {
			t.Errorf("%s is %s, want %s", version, got, want)
		}
	}
}

// TestArchives holds what is in archives: names, modes, the time, and nothing of this machine.
func TestArchives(t *testing.T) {
	when := time.Unix(1700000000, 0)
	files := []file{{"rdmacap", []byte("program"), program}, {"man/man1/x.1", []byte("page"), plain}}
	packed, err := tarGz("rdmacap-1", files, when)
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if !unzipped.ModTime.IsZero() || unzipped.Name != "" {
		t.Errorf("gzip has %v and %q", unzipped.ModTime, unzipped.Name)
	}
	r := tar.NewReader(unzipped)
	for _, f := range files {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || string(data) != string(f.data) || h.Name != "rdmacap-1/"+f.name || h.Mode != f.mode || !h.ModTime.Equal(when) || h.Uid != 0 || h.Uname != "root" {
			t.Errorf("%+v with %q, %v", h, data, err)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last file: %v", err)
	}
	if packed, err = zipped("rdmacap-1", files, when); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if h := z.File[i]; h.Name != "rdmacap-1/"+f.name || int64(h.Mode()) != f.mode || !h.Modified.Equal(when) {
			t.Errorf("%+v", h.FileHeader)
		}
	}
}

// TestInstalled holds where packages put what archives have, and what they have besides.
func TestInstalled(t *testing.T) {
	r := &release{sources: "../..", scratch: t.TempDir(), version: "1.2.3", when: time.Unix(1700000000, 0).UTC()}
	r.beside = []file{
		{"completions/_rdmacap", []byte("zsh"), plain}, {"completions/rdmacap.bash", []byte("bash"), plain},
		{"completions/rdmacap.fish", []byte("fish"), plain}, {"completions/rdmacap.ps1", []byte("ps1"), plain},
		{"man/man1/rdmacap.1", []byte("page"), plain}, {"CHANGELOG.md", []byte("changes"), plain},
		{"LICENSE", []byte("licence"), plain}, {"THIRD-PARTY.md", []byte("others"), plain},
	}
	list, err := r.contents(target{"linux", "amd64", false}, "rdmacap")
	if err != nil {
		t.Fatal(err)
	}
	places := make(map[string]entry)
	for _, x := range list {
		if _, twice := places[x.Destination]; twice {
			t.Errorf("%s is there twice", x.Destination)
		}
		places[x.Destination] = x
	}
	for path, packager := range map[string]string{
		"/usr/bin/rdmacap": "", "/usr/share/man/man1/rdmacap.1.gz": "", "/usr/share/doc/rdmacap/changelog.gz": "",
		"/usr/share/bash-completion/completions/rdmacap": "", "/usr/share/zsh/vendor-completions/_rdmacap": "deb",
		"/usr/share/zsh/site-functions/_rdmacap": "rpm", "/usr/share/fish/vendor_completions.d/rdmacap.fish": "",
		"/usr/share/doc/rdmacap/THIRD-PARTY.md": "", "/usr/share/licenses/rdmacap/LICENSE": "rpm",
		"/usr/share/doc/rdmacap/copyright": "deb", "/usr/share/doc/rdmacap/changelog.Debian.gz": "deb",
		"/usr/share/lintian/overrides/rdmacap": "deb", "/usr/share/doc/rdmacap/docs/guide.md": "",
		"/usr/share/doc/rdmacap/docs/monitoring/rdmacap.rules.yml": "", "/etc/default/rdmacap-live-example": "",
	} {
		if x, there := places[path]; !there || x.Packager != packager {
			t.Errorf("%s: %v, of %q, want of %q", path, there, x.Packager, packager)
		}
	}
	if kind := places["/etc/default/rdmacap-live-example"].Type; kind != "config|noreplace" {
		t.Errorf("the settings are of type %q", kind)
	}
	unit, err := os.ReadFile(filepath.FromSlash(places["/usr/lib/systemd/system/rdmacap-live@.service"].Source))
	if err != nil || !strings.Contains(string(unit), "\nExecStart=/usr/bin/rdmacap live ") {
		t.Errorf("the unit starts something else: %v", err)
	}
	for path := range places {
		if strings.Contains(path, "ps1") || strings.HasPrefix(path, "/usr/local/") {
			t.Errorf("%s is there", path)
		}
	}
}
