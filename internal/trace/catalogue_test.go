package trace

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestEveryConditionOfSparkIsKnown holds that each condition of streaming, of state and of checkpoints that a release
// of Spark has in its catalog is known by its name, with the releases that have it, and that it says either what of
// the checkpoint is compared or what decides it where no file does.
func TestEveryConditionOfSparkIsKnown(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/conditions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	known := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, releases, _ := strings.Cut(lines.Text(), " ")
		if name == "#" {
			continue
		}
		known[name] = true
		c, _ := recognize([]Cause{{Message: "[" + name + "] something"}})
		switch {
		case c == nil || c.Name != name:
			t.Errorf("%s of Spark %s is not known: it is taken for %+v", name, releases, c)
		case c.Releases != releases:
			t.Errorf("%s is of Spark %s, and is said to be of %s", name, releases, c.Releases)
		case (c.Compares == "") == (c.Decides == ""):
			t.Errorf("%s says neither or both of what is compared and what else decides it", name)
		case c.Compares != "" && c.look == nil && c.ask == askNothing && len(c.Codes) == 0:
			t.Errorf("%s says that it compares %q, and nothing does", name, c.Compares)
		case c.look != nil && c.Compares == "":
			t.Errorf("%s looks something up and does not say what", name)
		}
	}
	for _, c := range catalog {
		if !known[c.Name] {
			t.Errorf("%s is in no catalog", c.Name)
		}
	}
	if len(known) < 200 {
		t.Errorf("only %d conditions are listed", len(known))
	}
}
