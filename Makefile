# The few commands. Everything here is plain Go but for `ci`, which says itself what else it needs.

.PHONY: demo test build golden lint ci more shots

demo:   ## an incident from inside the program
	go run . demo

test:   ## all tests, with nothing but Go
	CGO_ENABLED=0 go test ./...

build:  ## one static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o tidemark .

golden: ## write the golden files again; read the diff before you commit it
	go test ./ui ./internal/checks ./internal/report ./internal/trace ./internal/availability ./checkpoint ./checkpoint/source -update

lint:   ## what the tests do not hold (.golangci.yml)
	go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run

ci:     ## all that must hold before a change lands
	.ci/run

more:   ## what needs luck or time
	.ci/more

shots:  ## the pictures of the README
	go run ./docs/shots
