package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// docs is where packages have documents.
const docs = "/usr/share/doc/rdmacap"

// A packed file is one of a package, with its path. A packager is deb or rpm, "" for both.
type packed struct {
	name, packager string
	data           []byte
}

// contents are the files of a package, written where nfpm reads them.
func (r *release) contents(t target, built string) (list []entry, err error) {
	info := func(mode int64) fileInfo { return fileInfo{mode, "root", "root", r.when.Format(time.RFC3339)} }
	list = append(list, entry{Source: built, Destination: "/usr/bin/rdmacap", Info: info(program)})
	files, err := r.installed()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		source := filepath.Join(r.scratch, t.String(), "files", f.packager, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(source, f.data, plain); err != nil {
			return nil, err
		}
		kind := ""
		if strings.HasPrefix(f.name, "/etc/") {
			kind = "config|noreplace"
		}
		list = append(list, entry{source, f.name, kind, f.packager, info(plain)})
	}
	return list, nil
}

// installed are the files of packages but for the program.
func (r *release) installed() (list []packed, err error) {
	add := func(name, packager string, data []byte) { list = append(list, packed{name, packager, data}) }
	for _, f := range r.beside {
		folder, base := path.Split(f.name)
		switch {
		case folder == "man/man1/", base == "CHANGELOG.md":
			small, err := gz(f.data)
			if err != nil {
				return nil, err
			}
			if folder == "" {
				add(docs+"/changelog.gz", "", small)
			} else {
				add("/usr/share/man/man1/"+base+".gz", "", small)
			}
		case base == "rdmacap.bash":
			add("/usr/share/bash-completion/completions/rdmacap", "", f.data)
		case base == "_rdmacap":
			add("/usr/share/zsh/vendor-completions/_rdmacap", "deb", f.data)
			add("/usr/share/zsh/site-functions/_rdmacap", "rpm", f.data)
		case base == "rdmacap.fish":
			add("/usr/share/fish/vendor_completions.d/rdmacap.fish", "", f.data)
		case base == "LICENSE": // Debian has the text in common-licenses
			add("/usr/share/licenses/rdmacap/LICENSE", "rpm", f.data)
		case base == "README.md", strings.HasPrefix(base, "THIRD-PARTY"):
			add(docs+"/"+base, "", f.data)
		}
	}
	more, err := r.fromSources()
	if err != nil {
		return nil, err
	}
	changes, err := gz([]byte(r.debianChangelog()))
	add(docs+"/changelog.Debian.gz", "deb", changes)
	return append(list, more...), err
}

// fromSources are the files of packages that archives do not have: documents, the service and
// its settings, and what Debian wants.
func (r *release) fromSources() (list []packed, err error) {
	const unit = "rdmacap-live@.service"
	place := map[string]packed{
		"docs/monitoring/" + unit:                         {name: "/usr/lib/systemd/system/" + unit},
		"internal/release/packaging/rdmacap-live-example": {name: "/etc/default/rdmacap-live-example"},
		"internal/release/packaging/copyright":            {name: docs + "/copyright", packager: "deb"},
		"internal/release/packaging/lintian-overrides":    {name: "/usr/share/lintian/overrides/rdmacap", packager: "deb"},
	}
	for _, pattern := range []string{"docs/*.md", "docs/monitoring/*", "docs/examples/*.x", "docs/examples/rules/*.rule", "docs/examples/fleet/*", "internal/release/packaging/*"} {
		found, err := filepath.Glob(filepath.Join(r.sources, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("there is no %s", pattern)
		}
		for _, file := range found {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			name := path.Join(path.Dir(pattern), filepath.Base(file))
			to, special := place[name]
			if !special {
				to.name = docs + "/" + name
			}
			if path.Base(name) == unit {
				data = []byte(strings.Replace(string(data), "/usr/local/bin/rdmacap", "/usr/bin/rdmacap", 1))
			}
			to.data = data
			list = append(list, to)
		}
	}
	return list, nil
}

// debianChangelog is what Debian wants of a package besides the changes of the program.
func (r *release) debianChangelog() string {
	return fmt.Sprintf("rdmacap (%s-1) unstable; urgency=medium\n\n  * New release of rdmacap; its changes are in changelog.gz.\n\n -- %s  %s\n",
		r.packageVersion(), maintainer, r.when.Format(time.RFC1123Z))
}
