//go:build servers

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// agreed is what two verdicts on one restart must agree in.
type agreed struct {
	Restart struct {
		Outcome, Error string
		Batch          int64
	}
	Findings []struct{ Code, Severity string }
	Drift    []struct{ Field, Effect, Error string }
}

// TestRealKafkaRestarts brings topics of the broker to the positions of each restart story. The verdict of the program that asks the
// broker must be that of the program that reads those positions from a file. The broker must be the same afterward.
//
// No client can set when a topic was made. What the file says of that, records show to the broker's clients: those of a topic that was made
// again are newer than the plans.
func TestRealKafkaRestarts(t *testing.T) {
	archives, err := filepath.Glob(restartStories)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	b := newBroker(t, "")
	var stories []*restartStory
	topics := map[string]stood{}
	for _, archive := range archives {
		s := readRestartStory(t, archive)
		for name, at := range s.topics {
			if _, taken := topics[name]; taken {
				t.Fatalf("%s: another story has the topic %s too", s.name, name)
			}
			topics[name] = at
		}
		stories = append(stories, s)
	}
	b.bring(topics)
	before := b.everything()
	t.Run("stories", func(t *testing.T) {
		for _, s := range stories {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				s.compare(&broker{t, b.client, ""})
			})
		}
	})
	if diff := cmp.Diff(before, b.everything()); diff != "" {
		t.Errorf("the broker is not as it was:\n%s", diff)
	}
	seen := map[string]int{}
	for _, s := range stories {
		seen[s.live.Restart.Outcome]++
		for _, f := range s.live.Findings {
			seen[f.Code]++
		}
	}
	for _, what := range []string{"next", "rerun", "refuses", "source-data-gone", "source-identity-changed"} {
		if seen[what] == 0 {
			t.Errorf("of no story the broker shows %s", what)
		}
	}
}

// compare holds what the program says of the file of positions against what it says of the broker.
func (s *restartStory) compare(b *broker) {
	b.Helper()
	ask := func(args ...string) (v agreed) {
		b.Helper()
		_, out, errs := b.run(append([]string{"check", s.file("checkpoint"), "--json", "--spec", s.file("spec.yaml")}, args...)...)
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			b.Fatalf("%q: %v in %s\n%s", args, err, out, errs)
		}
		return v
	}
	file := ask("--positions", s.file("positions.json"))
	s.live = ask("--kafka", os.Getenv("TIDEMARK_TEST_KAFKA"))
	if diff := cmp.Diff(file, s.live); diff != "" {
		b.Errorf("a file of positions (-) and the broker (+) give different verdicts:\n%s", diff)
	}
}
