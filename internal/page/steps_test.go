package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStepsFrom(t *testing.T) {
	for _, c := range []struct {
		name, next, avoid string
		want              Steps
	}{
		{"each sentence is a step", "Look for the file in a backup. Copy the checkpoint.", "Do not create an empty file: the results would be wrong.",
			Steps{Items: []Step{{Do: "Look for the file in a backup"}, {Do: "Copy the checkpoint"}}, Never: "create an empty file: the results would be wrong"}},
		{"conditions", "Find out what changed. If it cannot be recovered: roll back to batch 3. Not found: start again. If the join is an outer join, let it finish.", "",
			Steps{Items: []Step{{Do: "Find out what changed"}, {If: "If it cannot be recovered", Do: "roll back to batch 3"}, {If: "Not found", Do: "start again"},
				{If: "If the join is an outer join", Do: "let it finish"}}}},
		{"a sentence without a verb belongs to the one before", "Roll back to batch 3. The sink must accept it twice.", "",
			Steps{Items: []Step{{Do: "Roll back to batch 3. The sink must accept it twice"}}}},
		{"then is a step after a step, and part of a condition", "Copy it. Then put it back. If it is missing: stop. Then ask.", "",
			Steps{Items: []Step{{Do: "Copy it"}, {Do: "Put it back"}, {If: "If it is missing", Do: "stop. Then ask"}}}},
		{"several warnings", "", "Do not delete it, and do not rename it. Never copy another.", Steps{Never: "delete it, and never rename it. Never copy another"}},
		{"a warning that forbids nothing is not lost", "", "The file counts.", Steps{Items: []Step{{Do: "The file counts"}}}},
		{"nothing", "", "", Steps{}},
	} {
		if diff := cmp.Diff(c.want, StepsFrom(c.next, c.avoid)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestNoSentenceOfAStepIsLost: all words of both texts are in the steps, in their order.
func TestNoSentenceOfAStepIsLost(t *testing.T) {
	next := "Look for 24.delta. If it is found: put it back. Otherwise: roll back. For that, set it aside. Then restart."
	s := StepsFrom(next, "Do not restart before. Do not delete it.")
	var all []string
	for _, step := range s.Items {
		all = append(all, step.If, step.Do)
	}
	got := strings.Join(append(all, s.Never), " ")
	for _, want := range []string{"24.delta", "it is found", "put it back", "Otherwise", "roll back", "set it aside", "restart", "restart before", "delete it"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}
