package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A npmPart is a package whose code is in report/page/dist, and the folder that npm put it in.
type npmPart struct {
	part
	folder string
}

// shipped are the packages that npm brings and that are not only for building.
func shipped(root string) (list []npmPart, err error) {
	web := filepath.Join(root, "report", "page", "web")
	content, err := os.ReadFile(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	for path, p := range lock.Packages {
		name, brought := strings.CutPrefix(path, "node_modules/")
		if !brought || p.Dev {
			continue
		}
		list = append(list, npmPart{
			part:   part{name: "npm:" + name + "@" + p.Version, licence: p.License},
			folder: filepath.Join(web, filepath.FromSlash(path)),
		})
	}
	slices.SortFunc(list, func(a, b npmPart) int { return strings.Compare(a.name, b.name) })
	return list, nil
}
