package phrase

import "strings"

// Role is what a piece of text is for the reader. Whoever draws gives each role a style; the text says the same
// without one.
type Role int

// The roles.
const (
	Plain  Role = iota
	Dim         // labels, heads of columns, what matters least
	Strong      // what the reader came for
	Title       // the head of a section
	Key         // a key to press
	Bad         // it breaks the restart, or loses data
	Warn        // it needs a decision, or will hurt
	Good        // it is as it should be
	Info        // worth knowing
	Open        // it is not known
	Marked      // the part of a text that differs or is meant
	Plot        // bars and columns of a plot
)

// Sign is how one value of a judgement is shown: a symbol of one cell, and the word behind it.
type Sign struct {
	Symbol string
	Role   Role
	Word   string
}

// Head is the symbol with the word behind it: "✗ critical".
func (s Sign) Head() string { return s.Symbol + " " + s.Word }

// Signs are the values of one judgement, by the words of the JSON.
type Signs map[string]Sign

// Of is the sign of a value; that of what is not known where it has none.
func (s Signs) Of(value string) Sign {
	if sign, ok := s[value]; ok {
		return sign
	}
	return Sign{"?", Open, value}
}

// Verdicts are the signs of what to do about a restart, in the words of a banner.
var Verdicts = Signs{
	"stop":    {"✗", Bad, "DO NOT RESTART YET"},
	"only-if": {"!", Warn, "RESTART ONLY IF"},
	"safe":    {"✓", Good, "SAFE TO RESTART"},
	"reading": {"…", Info, "STILL READING"},
	"unknown": {"?", Open, "NO VERDICT"},
}

// Severities are the signs of findings. No two share a symbol, in plain ASCII neither.
var Severities = Signs{
	"critical": {"✗", Bad, "critical"},
	"high":     {"!", Warn, "high"},
	"medium":   {"*", Warn, "medium"},
	"low":      {"-", Info, "low"},
	"info":     {"i", Info, "info"},
}

// Answers are the signs of the answers to the three questions; "" stands for none yet.
var Answers = Signs{
	"yes":     {"✓", Good, "yes"},
	"no":      {"✗", Bad, "no"},
	"unknown": {"?", Open, "unknown"},
	"":        {"…", Dim, "so far"},
}

// Healths are the signs of a whole checkpoint, next to those of Severities.
var Healths = Signs{
	"ok":      {"✓", Good, "ok"},
	"unknown": {"?", Open, "unknown"},
}

// NotRun is the sign of what was not checked.
var NotRun = Sign{"?", Open, "not run"}

// Outcomes are the signs of what a restart does.
var Outcomes = Signs{
	"fresh":   {"i", Info, "FRESH"},
	"next":    {"✓", Good, "NEXT"},
	"rerun":   {"!", Warn, "RE-RUNS"},
	"refuses": {"✗", Bad, "REFUSES"},
	"unknown": {"?", Open, "UNKNOWN"},
}

// Effects are the signs of what a difference between query and checkpoint does, and what Spark then does, in words
// that follow "Spark".
var Effects = Signs{
	"misreads":       {"✗", Bad, "runs with wrong results"},
	"refuses":        {"✗", Bad, "will fail"},
	"keeps-recorded": {"±", Warn, "keeps the recorded value"},
	"allowed":        {"✓", Good, "continues"},
	"not compared":   {"?", Open, ""},
	"same":           {"✓", Good, ""},
}

// Situations are the signs of how a sink compares with the checkpoint.
var Situations = Signs{
	"in step":                    {"✓", Good, "in step"},
	"not in the sink":            {"✓", Good, "not in the sink"},
	"in the sink, not committed": {"✓", Good, "in the sink, not committed"},
	"nothing yet":                {"✓", Good, "nothing yet"},
	"sink ahead":                 {"✗", Bad, "sink ahead"},
	"planned again":              {"✗", Bad, "planned again"},
	"table set back":             {"✗", Bad, "table set back"},
	"sink behind":                {"✗", Bad, "sink behind"},
	"new checkpoint, old output": {"✗", Bad, "new checkpoint, old output"},
	"running":                    {"?", Open, "running"},
	"another query id":           {"?", Open, "another query id"},
	"no trace":                   {"?", Open, "no trace"},
	"in the sink, forgotten":     {"?", Open, "in the sink, forgotten"},
	"unknown":                    {"?", Open, "unknown"},
}

// Held are the signs of whether a batch is in the sink.
var Held = Signs{
	"yes":       {"✓", Good, "yes"},
	"no":        {"✗", Warn, "no"},
	"taken out": {"✗", Bad, "removed"},
	"?":         {"?", Open, "unknown"},
}

// Changes are the signs of how a row has changed from one batch to another.
var Changes = Signs{
	"added":   {"+", Good, "added"},
	"changed": {"~", Plain, "changed"},
	"removed": {"-", Open, "removed"},
}

// Remains are the signs of what a source still has of what a restart reads.
var Remains = Signs{
	"complete":    {"✓", Good, "complete"},
	"joins":       {"✓", Good, "joins"},
	"partly-gone": {"✗", Bad, "partly-gone"},
	"gone":        {"✗", Bad, "gone"},
	"beyond":      {"✗", Bad, "beyond"},
	"another":     {"✗", Bad, "another"},
	"not-there":   {"✗", Bad, "not-there"},
	"maybe-gone":  {"?", Open, "maybe-gone"},
	"not-judged":  {"?", Open, "not-judged"},
}

// Fates are the signs of what a restart makes of a range.
var Fates = Signs{
	"safe":       {"✓", Good, "safe"},
	"read again": {"✓", Good, "read again"},
	"to be read": {"✓", Good, "to be read"},
	"repeated":   {"✓", Good, "repeated"},
	"duplicated": {"!", Warn, "duplicated"},
	"skipped":    {"!", Warn, "skipped"},
	"lost":       {"✗", Bad, "lost"},
	"unknown":    {"?", Open, "unknown"},
}

// Tones are the signs of a line that is good, bad or open, and says itself why.
var Tones = map[Role]Sign{
	Good: {Symbol: "✓", Role: Good},
	Bad:  {Symbol: "✗", Role: Bad},
	Open: {Symbol: "?", Role: Open},
	Warn: {Symbol: "!", Role: Warn},
}

// asciiSigns are the signs that texts of ours have, and what stands for them in plain ASCII: an arrow needs two
// characters, so that no range reads as "greater than".
var asciiSigns = strings.NewReplacer(
	"✗", "x", "✓", "+", "…", "..", "▲", "^", "◆", "S", "▪", "#", "▫", "o",
	"→", "->", "←", "<-", "↔", "<->", "↑", "up", "↓", "down", "▸", ">", "▾", "v", "›", ">", "‹", "<",
	"≤", "<=", "≥", ">=", "–", "-", "−", "-", "·", "-", "×", "x", "±", "~",
	"╭", "+", "╮", "+", "╰", "+", "╯", "+", "─", "-", "│", "|", "━", "=", "╌", ".", "▌", "|", "▏", "|", "┃", "#",
	"▁", "_", "▂", "_", "▃", ".", "▄", "-", "▅", "-", "▆", "=", "▇", "#", "█", "#", "░", ":",
)

// ASCII writes the signs of ours in a text with plain ASCII. They may get longer, so it is done before anything is
// measured.
func ASCII(s string) string { return asciiSigns.Replace(s) }
