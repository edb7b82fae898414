package trace

import (
	"encoding/json"
	"slices"
	"strings"
)

// Texts reach people through terminals, containers, collectors of logs and mails. What these put around the lines
// that Spark printed is taken off here.

// ansi is how a terminal is told colors.
var ansi = patternOf("\x1b\\[[0-9;]*[A-Za-z]")

// prefixes are what stands before every line of a log that went through something. Each counts only where it also
// stands before a line that Spark's own log has nothing before: "at …", "Caused by: …".
var prefixes = []*pattern{
	patternOf(`^(?:> ?)+`), // a mail
	patternOf(`^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* (?:(?:[\w.-]{1,200} )?std(?:out|err) [FP] )?`),                          // a container
	patternOf(`^\d\d/\d\d/\d\d \d\d:\d\d:\d\d (?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) [\w.$]{1,200}: `),                           // a launcher that logs each line
	patternOf(`^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,200} [\w./\[\]-]{1,200}: `), // syslog
	patternOf(`^[\w.-]{1,200} *\| ?`), // docker compose
	patternOf(`^\[[\w./-]{1,300}\] `), // kubectl logs --prefix
}

// bare is what a line of a trace begins with that no log has something before.
var bare = patternOf(`^(?:\s+at [\w.$/@<>-]+\(|Caused by: )`)

// unwrapped is a text without what stands around its lines.
func unwrapped(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) // a terminal pastes line ends as \r
	text = ansi.ReplaceAllString(text, "")
	if strings.Contains(text, `{"`) {
		text = unfoldedJSON(text)
	}
	if strings.Contains(text, `\n\tat `) {
		text = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`).Replace(text)
	}
	for _, p := range prefixesOf(text) {
		text = stripped(text, p)
	}
	return text
}

// prefixesOf are the prefixes that the lines of a text have, outermost first: those of its first line of a trace.
func prefixesOf(text string) []*pattern {
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "at ") && !strings.Contains(line, "Caused by: ") {
			continue
		}
		var around []*pattern
		for rest := line; len(around) < 3; {
			i := slices.IndexFunc(prefixes, func(p *pattern) bool { return p.MatchString(rest) })
			if i < 0 {
				break
			}
			around = append(around, prefixes[i])
			if rest = rest[len(prefixes[i].FindStringSubmatch(rest)[0]):]; bare.MatchString(rest) {
				return around
			}
		}
	}
	return nil
}

// stripped is a text whose lines do not begin with what fits p.
func stripped(text string, p *pattern) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if m := p.FindStringSubmatch(line); m != nil {
			line = line[len(m[0]):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// logged is an entry of a log in JSON: that of Spark 4, and what collectors of logs make.
type logged struct {
	Log     string `json:"log"`
	Message string `json:"message"`
	Msg     string `json:"msg"`
	Context struct {
		Query string `json:"query_id"`
		Run   string `json:"run_id"`
	} `json:"context"`
	Exception *struct {
		Class  string          `json:"class"`
		Msg    string          `json:"msg"`
		Frames json.RawMessage `json:"stacktrace"`
	} `json:"exception"`
}

var anyFrame = patternOf(`^\s*(?:at |Caused by: |Suppressed: |\.\.\. )`)

// unfoldedJSON is a text in which entries of a log that are JSON, one a line, stand as Spark prints them otherwise.
func unfoldedJSON(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		var e logged
		if !strings.HasPrefix(line, `{"`) || json.Unmarshal([]byte(line), &e) != nil || e.Log+e.Message+e.Msg == "" && e.Exception == nil {
			b.WriteString(line)
			continue
		}
		said := e.Log + e.Message + e.Msg
		if e.Exception == nil && e.Context.Query == "" {
			b.WriteString(strings.TrimSuffix(said, "\n") + "\n")
			continue
		}
		b.WriteString("[1970-01-01 00:00:00 " + said) // the beginning of an entry
		if e.Context.Query != "" {
			b.WriteString(" [id = " + e.Context.Query + ", runId = " + e.Context.Run + "]")
		}
		b.WriteString("\n")
		if e.Exception != nil {
			b.WriteString(e.Exception.Class + ": " + e.Exception.Msg + "\n" + framesOf(e.Exception.Frames))
		}
	}
	return b.String()
}

// framesOf are the lines "at …" of an entry: a text, or a list of what each line has. What follows an exception of
// Spark 4 in JSON are its causes: a text holds them too.
func framesOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		var b strings.Builder
		for line := range strings.Lines(text) {
			if anyFrame.MatchString(line) || b.Len() > 0 {
				b.WriteString(line)
			}
		}
		return strings.TrimSuffix(b.String(), "\n") + "\n"
	}
	var list []struct {
		Class, Method, File string
		Line                any
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var b strings.Builder
	for _, f := range list {
		b.WriteString("\tat " + f.Class + "." + f.Method + "(" + f.File + ")\n")
	}
	return b.String()
}
