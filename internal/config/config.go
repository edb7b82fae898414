package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tidemark/internal/phrase"
)

// Setting is one thing that can be set. Its name makes that of the flag (--max-requests), of the variable
// (TIDEMARK_MAX_REQUESTS) and of the key in the file (max_requests).
type Setting struct {
	Name    string
	Group   string // under which --help shows it
	Kind    Kind
	Default string   // as it would be typed; "" for none
	Choices []string // of a Choice or a Name
	Also    []string // variables of others that say the same; they count where it is not set here
	Many    bool     // the flag may be given several times: its text has a line for each
	About   Subject  // of no use where a command does not look at that
	Reopens bool     // the command that opens a view again has it: the view depends on it; it holds no secret
	NoFile  bool     // only a flag or a variable: it is about one run
	Help    string   // for --help; the word in backquotes stands for the value; of a Choice a line for each
}

// Kind is what a setting takes.
type Kind byte

// The kinds of settings.
const (
	Text     Kind = iota
	Count         // a whole number, 0 or more
	Duration      // text such as "30s"
	Switch        // true or false
	Choice        // one of Choices, each of which is a flag of its own: --dark, --light
	Name          // one of Choices, as the value of one flag: --theme contrast
)

// Subject is what the query reads or writes, beside its checkpoint.
type Subject byte

// The subjects; settings of no subject are of use wherever a checkpoint is read.
const (
	NoSubject Subject = iota
	Sources           // what they still keep
	Sink              // what it holds
)

// The groups in which --help shows settings, in its order.
const (
	Verdict = "verdict"
	S3      = "S3"
	Limits  = "limits"
	Screen  = "screen"
	Program = "program"
)

// Groups are all of them.
var Groups = []string{Verdict, S3, Limits, Screen, Program}

// Settings are all there are, in the order of --help.
var Settings = []Setting{
	{Name: "fail-on", Group: Verdict, Default: "high", Help: "exit status 1 for findings of this `SEVERITY` or worse"},
	{Name: "spark", Group: Verdict, Reopens: true, Help: "the Spark `RELEASE` of the restart, such as 3.5 (default: the newest that can have written the checkpoint)"},
	{Name: "spec", Group: Verdict, Reopens: true, NoFile: true, Help: "what the code declares: a spec `FILE` (see tidemark spec), another checkpoint LOCATION of the query, or a JSON file with its progress"},
	{Name: "sink", Group: Verdict, About: Sink, Reopens: true, NoFile: true, Help: "the sink: the `LOCATION` of the table or output folder (default: sink.location of the spec)"},
	{Name: "kafka", Group: Verdict, About: Sources, NoFile: true, Help: "ask these Kafka `BROKERS` what they still have: HOST:PORT, several separated by commas"},
	{Name: "kafka-config", Group: Verdict, About: Sources, NoFile: true, Help: "how to log in there: a `FILE` of Kafka client properties; its bootstrap.servers replace --kafka"},
	{Name: "positions", Group: Verdict, About: Sources, Reopens: true, NoFile: true, Help: "what the sources still have: a JSON `FILE` with the earliest and latest offsets of each"},
	{Name: "source", Group: Verdict, About: Sources, Reopens: true, NoFile: true, Many: true, Help: "the table or folder a source reads: `INDEX=LOCATION`; repeat it for several sources (the first is 0)"},

	{Name: "endpoint-url", Group: S3, Reopens: true, Help: "the `URL` of an S3-compatible server"},
	{Name: "region", Group: S3, Reopens: true, Also: []string{"AWS_REGION", "AWS_DEFAULT_REGION"}, Help: "the bucket's `REGION` (default: AWS_REGION)"},
	{Name: "profile", Group: S3, Reopens: true, Help: "the `NAME` of a profile in the AWS settings"},
	{Name: "path-style", Group: S3, Reopens: true, Kind: Switch, Help: "put the bucket into the path, not the host name"},
	{Name: "no-sign-request", Group: S3, Reopens: true, Kind: Switch, Help: "read a public bucket without credentials"},

	{Name: "max-requests", Group: Limits, Kind: Count, Default: "0", Help: "stop after `N` requests to the storage (0: no limit)"},
	{Name: "timeout", Group: Limits, Kind: Duration, Default: "0s", Help: "stop after this `TIME`, such as 30s (not in the explorer)"},

	{Name: "no-color", Group: Screen, Kind: Switch, Also: []string{"NO_COLOR"}, Help: "no colors (or set NO_COLOR)"},
	{Name: "ascii", Group: Screen, Kind: Switch, Help: "draw symbols and lines in ASCII"},
	{Name: "plain", Group: Screen, Kind: Switch, Help: "the explorer as plain text with numbered choices, for screen readers and scripts"},
	{Name: "mouse", Group: Screen, Kind: Switch, Help: "use the mouse in the explorer (M turns it off); over ssh only with this flag"},
	{Name: "still", Group: Screen, Kind: Switch, Help: "redraw the explorer at most every two seconds"},
	{Name: "look", Group: Screen, Kind: Choice, Default: "dark", Choices: []string{"dark", "light"}, Help: "colors for a dark background\ncolors for a light background"},
	{Name: "theme", Group: Screen, Kind: Name, Choices: []string{"default", "blue-orange", "contrast"}, Help: "the explorer's colors: `NAME` is default, blue-orange (for red-green blindness) or contrast (no greys)"},
	{Name: "time", Group: Screen, Kind: Choice, Default: "utc", Choices: []string{"utc", "local"}, Help: "the explorer shows times in UTC\nthe explorer shows times of this machine's zone"},

	{Name: "config", Group: Program, NoFile: true, Help: "the settings `FILE` (default: ~/.config/tidemark/config.toml)"},
	{Name: "no-memory", Group: Program, Kind: Switch, Help: "do not store or show what the explorer remembers"},
	{Name: "debug-log", Group: Program, NoFile: true, Help: "append each storage request to this `FILE`, without credentials"},
}

// VariablePrefix begins the name of every variable of this program.
const VariablePrefix = "TIDEMARK_"

// Variable returns the name of the setting in the environment: "TIDEMARK_MAX_REQUESTS".
func (s *Setting) Variable() string { return VariablePrefix + strings.ToUpper(s.Key()) }

// Key returns the name of the setting in the file: "max_requests".
func (s *Setting) Key() string { return strings.ReplaceAll(s.Name, "-", "_") }

// Flags returns the names of the setting on the command line, without dashes: one, or one for each choice.
func (s *Setting) Flags() []string {
	if s.Kind == Choice {
		return s.Choices
	}
	return []string{s.Name}
}

// FlagHelp returns Help for one of the flags.
func (s *Setting) FlagHelp(flag string) string {
	if s.Kind == Choice {
		return strings.Split(s.Help, "\n")[slices.Index(s.Choices, flag)]
	}
	return s.Help
}

// Check returns what is wrong with a value as text; nil for nothing.
func (s *Setting) Check(text string) error {
	switch s.Kind {
	case Switch:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is neither true nor false", text)
		}
	case Count:
		if text == "" || strings.Trim(text, "0123456789") != "" || len(text) > 18 {
			return fmt.Errorf("%q is not a whole number, 0 or more", text)
		}
	case Duration:
		if d, err := time.ParseDuration(text); err != nil || d < 0 {
			return fmt.Errorf("%q is not a time such as 30s or 5m", text)
		}
	case Choice, Name:
		if !slices.Contains(s.Choices, text) {
			return fmt.Errorf("%q is not one of %s%s", text, strings.Join(s.Choices, ", "), phrase.DidYouMean(text, s.Choices))
		}
	}
	return nil
}

// Find returns the setting of that name; nil where there is none.
func Find(name string) *Setting {
	i := slices.IndexFunc(Settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &Settings[i]
}
