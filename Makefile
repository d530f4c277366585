# What a change is held against, by how long it takes on two cores: make test (three minutes),
# make ci (a quarter of an hour), make long (an hour; before an issue is closed).

# What make same compares with, and how long each fuzz target runs.
BASE ?= origin/main
FUZZ ?= 10s

# Tools that only look at the tree, or describe it: the program and its tests do not depend on them.
staticcheck = honnef.co/go/tools/cmd/staticcheck@v0.8.2
actionlint = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
cyclonedx = github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

.PHONY: build test lint vet ci long race fuzz hostile bench lab same gen third-party page page-check page-modules release

# -w leaves out what only debuggers read, 5 MB of 26; stack traces and profiles keep their names.
build:
	go build -ldflags=-w -o rdmacap ./cmd/rdmacap

test:
	go test ./...

ci:
	.ci/run

# Where tags and processors choose files, it vets these packages; vet, everything with each.
lint:
	@unformatted=$$(gofmt -l .) && if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted"; exit 1; fi
	go vet ./...
	grep -rlE --include='*.go' '^//go:build.*\blong\b' . | xargs -n 1 dirname | sort -u | xargs go vet -tags long
	GOARCH=arm64 go vet ./rocev2 ./internal/replay/verbs
	go vet -tags noverbs ./internal/replay/verbs ./cmd/rdmacap
	go run $(staticcheck) ./...
	go run $(actionlint)

vet:
	go vet ./...
	go vet -tags long ./...
	GOARCH=arm64 go vet ./...
	go vet -tags noverbs ./...

# One test needs Slurm and GNU parallel (apt install slurm-wlm munge parallel), and says what is missing.
long: vet
	go test -tags long -timeout 40m ./...
	cd internal/fleet/k8s && go test ./...
	go test -tags noverbs -run Interfaces ./cmd/rdmacap
	$(MAKE) race hostile bench fuzz lab same

# The race detector makes tests several times slower: no package is left out here.
race:
	go test -race -short -timeout 40m ./...

fuzz:
	.ci/fuzz $(FUZZ)

# What hostile captures of one, two and four times a size take.
hostile:
	program=$$(mktemp -d) && trap 'rm -rf "$$program"' EXIT && \
	go build -o "$$program/rdmacap" ./cmd/rdmacap && \
	go run ./internal/hostile/measure "$$program/rdmacap" check read stats && \
	go run ./internal/hostile/measure -limit 256 "$$program/rdmacap" report

bench:
	go test -run '^$$' -bench . -benchtime 1x ./...
	go run ./bench/compare -rounds 3

lab:
	lab/run setup
	lab/run all

# Outputs of the working tree that are not those of BASE, byte for byte.
same:
	old=$$(mktemp -d) && trap 'rm -rf "$$old"' EXIT && \
	mkdir "$$old/tree" && git archive $(BASE) | tar x -C "$$old/tree" && \
	(cd "$$old/tree" && go build -buildvcs=false -o "$$old/old" ./cmd/rdmacap) && \
	go build -buildvcs=false -o "$$old/new" ./cmd/rdmacap && \
	go run ./internal/same -all "$$old/old" "$$old/new"

# Archives, packages and checksums of what is checked out, in dist: docs/install.md.
release:
	rm -rf dist
	go run ./internal/release -out dist $(if $(ONLY),-only $(ONLY))

# All that is committed and made from other files, but the page's script (make page), its pictures
# (go generate ./report/page: they need a browser) and what tests expect of whole commands.
gen: third-party
	go generate ./report/rules/catalogue ./dissect/nfs/numbers
	go test ./report/rules/catalogue -run Document -update
	go test ./internal/query -run Document -update
	go test ./report/wanted -run Document -update
	go test ./filter -run 'Tables|Vectors' -update
	go test ./cmd/rdmacap -run 'Verdicts|BindingDocumented|ReportSample' -update

# Whose code is in the program. The texts of the page's packages are in what npm fetches.
third-party: page-modules
	bom=$$(mktemp) && trap 'rm -f "$$bom"' EXIT && \
	go run $(cyclonedx) mod -json -licenses -output "$$bom" . && \
	go run ./internal/thirdparty "$$bom" .

# The script of the report's page, which is committed for Go to embed; it takes Node 20 or later.
page: page-modules
	cd report/page/web && npm run --silent build && npm test --silent

# Whether what is committed is what the sources make.
page-check: page-modules
	cd report/page/web && npm run --silent check && npm test --silent

page-modules:
	cd report/page/web && npm ci --no-audit --no-fund --loglevel=error
