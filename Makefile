# Everything starts here; `make` alone prints the targets.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

GO ?= go
NPM ?= npm

# The same for builds, analysis and tests, so that each package is compiled once. Without cgo Go links by itself, which is quicker.
export CGO_ENABLED ?= 0
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)

.PHONY: help
help: ## Print the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)$$/  \1\t\2/' | expand -t 14

.PHONY: tools
tools: ## Say which programs are missing that builds and tests want
	@for tool in $(GO) $(NPM) git openssl; do command -v $$tool >/dev/null || echo "MISSING: $$tool"; done
	@for tool in pg_basebackup pg_dump pgbouncer faketime firefox-esr; do command -v $$tool >/dev/null || echo "not installed: $$tool; tests that want it are skipped"; done

.PHONY: run
run: build ## Start everything on this machine: database, simulated services, login, web
	@exec bin/devstack

.PHONY: seed
seed: build ## Fill an account of the development data as if N items had been sent: N=1000000
	@bin/devstack seed $(N)

.PHONY: test
test: tools assets ## Run the tests, in a real database and a real browser; check also runs the long ones, trials the trials
	$(GO) run ./cmd/suite

.PHONY: s3
s3: ## Run the tests of files in object storage against a real S3 server, versitygw
	$(GO) build -modfile=tools/s3.mod -o bin/versitygw github.com/versity/versitygw/cmd/versitygw
	@dir=$$(mktemp -d); ROOT_ACCESS_KEY=utsending ROOT_SECRET_KEY=synthetic-secret bin/versitygw --port 127.0.0.1:7070 posix $$dir >$$dir.log 2>&1 & server=$$!; \
	trap 'kill $$server; rm -rf '"$$dir" EXIT; \
	until curl -s -o /dev/null http://127.0.0.1:7070; do kill -0 $$server && sleep 0.2; done; \
	UTSENDING_TEST_S3=http://127.0.0.1:7070 $(GO) test -count=1 -v ./internal/objects ./internal/store -run 'TestBucket|TestUnavailable|TestOpenRefuses|TestFilesOutside'

.PHONY: torture
torture: tools assets ## Deliver while programs, database and network fail; MINUTES=10, SEED as an earlier run told it
	UTSENDING_TEST_TRIALS=1 TORTURE_MINUTES=$(or $(MINUTES),10) KILL_SEED=$(SEED) $(GO) test ./cmd/web -run 'TestTorture$$' -v -count=1 -timeout $$(( $(or $(MINUTES),10) + 60 ))m

.PHONY: patroni
patroni: tools assets ## Deliver from a cluster under Patroni while its nodes change and die; TRIAL=quick with shorter times
	PATRONI_TRIAL=$(or $(TRIAL),usual) $(GO) test ./cmd/web -run 'TestPatroni$$' -v -count=1 -timeout 60m

.PHONY: fuzz
fuzz: ## Feed each parser of outside data what nobody writes, for TIME=10m; ONLY=Phone, WORKERS=1; what breaks one stays in its testdata/fuzz
	@failed=; while IFS=: read -r file target; do target=$${target#func }; echo "== $$target in $$(dirname "$$file")"; \
	$(GO) test "./$$(dirname "$$file")" -run '^$$' -fuzz "^$$target$$" -fuzztime $(or $(TIME),10m) $(if $(WORKERS),-parallel $(WORKERS)) </dev/null || failed="$$failed $$target"; \
	done < <(grep -roE '^func Fuzz[A-Za-z0-9]+' --include='*_test.go' internal cmd | sort | grep -E '$(or $(ONLY),.)'); \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed"; exit 1; fi

.PHONY: quick
quick: node_modules/.package-lock.json ## Before a commit: formatting, analysis, the domain, and what the change touches
	@$(MAKE) --no-print-directory format-check vet
	$(GO) run ./cmd/suite -quick

.PHONY: check
check: tools assets format-check vet staticcheck generated types ## Before a push, and in CI: formatting, analysis, generated code, all tests but the trials, with the race detector where goroutines share memory
	$(GO) run ./cmd/suite -whole

.PHONY: trials
trials: tools assets ## Kill, cut off, fail over and restore what delivers; use a second browser, Firefox. CI runs them after check
	$(GO) run ./cmd/suite -trials

.PHONY: axe
axe: assets ## Look for accessibility faults on every page and state, in each language, theme and width: bin/axe.tsv; AXE=-whole takes hours
	@mkdir -p bin
	$(GO) test ./internal/views/gallery -run 'TestGalleryMatrix$$' -timeout 5h -matrix $(CURDIR)/bin/axe.tsv $(AXE); status=$$?; cat bin/axe.tsv; exit $$status

.PHONY: pictures
pictures: assets ## Take a picture of every page in every state into bin/pictures; PAGES=overview, LOOK='en dark 390' choose (default 'nb light 1440')
	@mkdir -p bin/pictures
	$(GO) test ./internal/views/gallery -run 'TestGalleryMatrix$$' -timeout 5h -pictures $(CURDIR)/bin/pictures -combination '$(or $(LOOK),nb light 1440)' -pages '$(PAGES)'

.PHONY: build
build: assets ## Build the programs into bin/
	$(GO) build -trimpath -o bin/ ./cmd/web ./cmd/inspectpdf ./cmd/devstack

.PHONY: release
release: assets ## Build bin/web and bin/inspectpdf as they are deployed: static files; VERSION=1.2 names them
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w$(if $(VERSION), -X main.version=$(VERSION))' -o bin/ ./cmd/web ./cmd/inspectpdf

.PHONY: assets
assets: node_modules/.package-lock.json ## Bundle style sheets, scripts, icons and fonts into static/dist
	$(GO) run ./cmd/assets

node_modules/.package-lock.json: package.json package-lock.json .npmrc
	@command -v $(NPM) >/dev/null || { echo "npm is missing: install Node.js 20 or newer"; exit 1; }
	$(NPM) ci --no-fund --no-audit --loglevel=error
	@touch $@

.PHONY: generate
generate: ## Generate Go code from the templ files
	$(GO) tool templ generate ./internal/views

.PHONY: format
format: ## Format Go and templ files
	gofmt -w $$(git ls-files '*.go' | grep -v '_templ\.go$$')
	$(GO) tool templ fmt internal/views

.PHONY: format-check
format-check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go' | grep -v '_templ\.go$$')); \
	if [ -n "$$unformatted" ]; then echo "not formatted, run 'make format':"; echo "$$unformatted"; exit 1; fi

.PHONY: vet
vet:
	$(GO) vet ./...
	$(GO) vet -C bench ./...

.PHONY: staticcheck
staticcheck:
	$(GO) build -modfile=tools/go.mod -o bin/staticcheck honnef.co/go/tools/cmd/staticcheck
	bin/staticcheck ./...
	cd bench && ../bin/staticcheck ./...

.PHONY: vulnerabilities
vulnerabilities: ## Look up known faults of what the programs use; where the database cannot be reached, it says so
	@$(GO) build -modfile=tools/go.mod -o bin/govulncheck golang.org/x/vuln/cmd/govulncheck
	@bin/govulncheck ./... >bin/vulnerabilities.txt 2>&1 && cat bin/vulnerabilities.txt || { \
	cat bin/vulnerabilities.txt; \
	if grep -q 'fetching vulnerabilities' bin/vulnerabilities.txt; then echo "NOT CHECKED: the database of vulnerabilities cannot be reached"; else exit 1; fi; }

.PHONY: sbom
sbom: release ## List what the programs are made of, with licences, as CycloneDX in bin/*.cdx.json
	@$(GO) build -modfile=tools/go.mod -o bin/cyclonedx-gomod github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	@for program in web inspectpdf; do bin/cyclonedx-gomod bin -json -licenses -std -version v$(or $(VERSION),0.1.0) -output bin/$$program.cdx.json bin/$$program; done
	@$(NPM) sbom --sbom-format cyclonedx --omit dev --package-lock-only >bin/assets.cdx.json

.PHONY: generated
generated: ## Check that generated code is up to date
	@$(GO) tool templ generate ./internal/views >/dev/null 2>&1; \
	changed=$$(git status --porcelain -- '*_templ.go'); \
	if [ -n "$$changed" ]; then echo "generated code is not up to date, run 'make generate' and commit:"; echo "$$changed"; exit 1; fi

.PHONY: types
types: node_modules/.package-lock.json
	node_modules/.bin/tsc --noEmit -p .

.PHONY: bench
bench: tools assets ## Measure speed and memory beside references; BENCH='-only upload -size 50 -runs 2' for a quick look, BENCH='-write docs/performance.md' for the table
	$(GO) build -trimpath -o bin/ ./cmd/web ./cmd/inspectpdf
	$(GO) build -C bench -trimpath -o ../bin/bench .
	@bin/bench $(BENCH)

.PHONY: load
load: tools assets ## Have many people work at two copies of web, then rude clients beside them: PEOPLE=200 MINUTES=10; LOAD='-rude 0 -items 1000'
	$(GO) build -trimpath -o bin/ ./cmd/web ./cmd/inspectpdf
	$(GO) build -C bench -trimpath -o ../bin/bench .
	@bin/bench load -people $(or $(PEOPLE),200) -minutes $(or $(MINUTES),10) $(LOAD)

.PHONY: deployment
deployment: ## Check what is in deploy/ with the code of Kubernetes, systemd and Prometheus; bring each alert about
	$(GO) test -C deploy/check -mod=mod -count=1 -timeout 20m .

.PHONY: former
former: assets ## Run the kill test with processes of two releases on one schema, ours and that of COMMIT=abc123, in turn
	@rm -rf bin/former && git worktree prune && git worktree add --detach bin/former/source $(COMMIT)
	@cp -r static/dist/. bin/former/source/static/dist/
	$(GO) build -C bin/former/source -o ../ ./cmd/web ./cmd/inspectpdf
	@git worktree remove --force bin/former/source
	UTSENDING_TEST_TRIALS=1 FORMER_WEB=$(CURDIR)/bin/former/web KILL_SECONDS=60 $(GO) test -count=1 -timeout 20m -v -run 'TestKill$$|TestFourKills$$' ./cmd/web

.PHONY: clean
clean: ## Remove what was built and the development data
	rm -rf bin .devstack static/dist/* .testout
	@touch static/dist/.keep
