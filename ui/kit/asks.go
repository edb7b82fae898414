package kit

import (
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/page"
)

// Wanted is something that a person can tell beside the checkpoint, so that more is checked: a command, and what its line asks.
type Wanted struct {
	Command string // "sink"; Answer gets it as the kind
	Args    string // what is typed behind it
	Does    string
	Title   string // of the line that asks, with a question mark
	Asks    string // the question in a sentence
	Reads   string // what is read for the answer
	Example string
	Brief   string // how to get the answer, in a few words
	Long    string // and in a few more
	// Sources reports that it is about what the sources still have; OfKind is the kind of source that it can be asked of, "" for any.
	Sources bool
	OfKind  string
}

// Wants are all that can be told, by their commands.
var Wants = []Wanted{
	{Command: "sink", Args: "LOCATION", Does: "name the sink, and check it", Title: "Replay safe?",
		Asks:    "Which location does the query write to? tidemark looks for its batches there.",
		Reads:   "Only listings and logs are read: _delta_log, _spark_metadata, metadata/.",
		Example: "s3://bucket/tables/orders", Brief: "name the sink", Long: "name the sink, s3://… or a table path"},
	{Command: "spec", Args: "FILE or LOCATION", Does: "name a spec, and compare it with this checkpoint", Title: "Same query?",
		Asks:    "What does the query declare? Name a spec, a progress log, or the checkpoint of a test run.",
		Reads:   "The file is read, or the newest files of the other checkpoint.",
		Example: "orders.yaml", Brief: "name a spec", Long: "compare with a spec or a test run"},
	{Command: "kafka", Args: "BROKERS", Does: "name the Kafka brokers, and ask what they still have", Title: "Does Kafka still have it?",
		Asks:    "Which brokers has the cluster? Separate them by commas.",
		Reads:   "Topics, partitions and their first and last offsets are asked for. No record is read.",
		Example: "broker-1:9092,broker-2:9092", Brief: "name the brokers", Long: "name the Kafka brokers",
		Sources: true, OfKind: source.Kafka.Name},
	{Command: "positions", Args: "FILE", Does: "name a file of what the sources still have", Title: "Do the sources still have it?",
		Asks:    "Which file has the first and last positions of the sources?",
		Reads:   "The file is read. Nothing else is asked.",
		Example: "positions.json", Brief: "name a positions file", Long: "name a file of positions", Sources: true},
}

// WantedBy is what a command can tell; nil for another command.
func WantedBy(command string) *Wanted {
	for i := range Wants {
		if Wants[i].Command == command {
			return &Wants[i]
		}
	}
	return nil
}

// Missing is what one of the three questions needs and was not told; nil where its answer does not depend on that.
func (s *Session) Missing(question string) *Wanted {
	answer := page.Answer(&s.Verdict, question).Answer
	switch {
	case s.Answer == nil || s.Checkpoint == nil || answer != "" && answer != "unknown":
		return nil
	case question == checks.SameQuery && s.Examine.Spec == nil:
		return WantedBy("spec")
	case question == checks.ReplaySafe && answer == "unknown" && s.Examine.Sink == nil:
		return WantedBy("sink")
	}
	return nil
}

// AskFor is what a check that did not run needs and can be told now; nil for none.
func (s *Session) AskFor(n *checks.NotRun) *Wanted {
	if s.Answer == nil {
		return nil
	}
	return s.WantedFor(n.Needs)
}

// WantedFor is what gives checks what they need, the first that fits the sources of the query; nil where nothing that can be told
// does.
func (s *Session) WantedFor(needs string) *Wanted {
	if !strings.HasPrefix(needs, "--") {
		return nil
	}
	for i := range Wants {
		if w := &Wants[i]; strings.Contains(needs, "--"+w.Command) && s.mayAnswer(w) {
			return w
		}
	}
	return nil
}

// mayAnswer reports whether a source of the query may be of the kind that is asked.
func (s *Session) mayAnswer(w *Wanted) bool {
	return w.OfKind == "" || slices.ContainsFunc(s.Verdict.Sources, func(x checks.Source) bool { return slices.Contains(x.Kinds, w.OfKind) })
}
