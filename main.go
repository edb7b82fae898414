// Tidemark reads the checkpoint of a Spark Structured Streaming query, without Spark, and says what a
// restart will do. It cannot change one.
package main

import (
	"embed"
	"io/fs"
	"os"

	"tidemark/internal/cli"
)

// demo holds the built-in examples: testdata/demo/demos.txt names them.
//
//go:embed testdata/demo
var demo embed.FS

func main() {
	demos, err := fs.Sub(demo, "testdata/demo")
	if err != nil {
		panic(err) // the name is the one that is embedded above
	}
	os.Exit(cli.Main(demos))
}
