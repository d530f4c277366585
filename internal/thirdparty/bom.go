package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A bill is what is read of a list of modules in CycloneDX's form.
type bill struct {
	Components []struct {
		Name     string `json:"name"`
		Version  string `json:"version"`
		Evidence struct {
			Licenses []struct {
				License struct {
					ID string `json:"id"`
				} `json:"license"`
			} `json:"licenses"`
		} `json:"evidence"`
	} `json:"components"`
}

// readBOM returns the SPDX identifier of the licence of each module in a list, by module@version.
func readBOM(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var b bill
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	list := make(map[string]string)
	for _, c := range b.Components {
		var ids []string
		for _, l := range c.Evidence.Licenses {
			ids = append(ids, l.License.ID)
		}
		list[c.Name+"@"+c.Version] = strings.Join(ids, " AND ")
	}
	return list, nil
}

// licence is the SPDX expression for the licence of a module. The tool compares texts with those
// that SPDX knows and takes the most similar: where that is another one, or a file has several, this
// says what a person read in the texts, which are in THIRD-PARTY too.
func licence(m module, licences map[string]string) (string, error) {
	switch {
	case strings.HasPrefix(m.Path, "golang.org/x/"):
		return "BSD-3-Clause", nil // found as BSD-Source-Code
	case m.Path == "github.com/klauspost/compress":
		return "BSD-3-Clause AND Apache-2.0 AND MIT", nil // one file for all of its parts
	}
	id := licences[m.String()]
	if id == "" {
		return "", fmt.Errorf("no licence of %s was found: read its text and say it in internal/thirdparty/bom.go", m)
	}
	return id, nil
}
