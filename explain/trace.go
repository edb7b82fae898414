// Package explain holds a stack trace of Spark beside the checkpoint that it is about: which error it is,
// which file and batch it names, and what stands there now.
//
// A trace is text that somebody pasted. Nothing in it is believed: it says where to look, and the
// checkpoint says what is there.
package explain

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limit is how many bytes of a trace are read. Of a longer text the last ones count: the error that ended
// a query stands at the end of its log.
const Limit = 1 << 20

// What is kept of a trace at most. Each is far more than Spark prints of one error.
const (
	chainLimit   = 1000    // errors in one text
	causeLimit   = 64      // exceptions in one chain
	messageLimit = 8 << 10 // bytes of one message
	frameLimit   = 12      // lines "at …" of one exception
	placeLimit   = 16      // files, stores, tasks, parts, each
)

// ErrNoTrace is a text in which nothing of an error of Spark was recognised.
var ErrNoTrace = errors.New("nothing in this text is an error of Spark: no exception, no error condition in brackets, no file of a checkpoint, no batch")

// Trace is what a text says of an error, as far as it was recognised. It is what Spark wrote, not what is.
type Trace struct {
	Chain     []Cause    // outermost first; the last one is the reason
	Condition *Condition // the error it is; nil for one that is not known here
	At        int        // which of Chain says so; 0 where Condition is nil
	Name      string     // Spark's own name of the error, "STREAM_FAILED"; "" before Spark had names, and for errors without
	SQLState  string     // "58030"; "" where none was printed
	Query     string     // the query's id; "" where it was not printed
	Run       string     // the id of that run
	Batch     int64      // the batch or log entry that it names; -1 for none
	Files     []File     // of the checkpoint, the one of the reason first
	Stores    []Store    // state stores, the same
	Tasks     []Task
	Parts     []Part // of a Kafka source
	Others    int    // further errors in the text, of which nothing is told
	Cut       bool   // the text was longer than Limit, and only its end was read
}

// Cause is one exception.
type Cause struct {
	Class   string // "java.io.FileNotFoundException"; "" where the text begins without one
	Message string // as printed, without lines that Spark adds of the query's plan; may hold line feeds
	frames  string // the first lines "at …" of it
}

// String is the exception in one line, as a log has it.
func (c Cause) String() string {
	text := strings.Join(strings.Fields(c.Message), " ")
	switch {
	case c.Class == "":
		return text
	case text == "":
		return c.Class
	}
	return c.Class + ": " + text
}

// File is a path that the trace names.
type File struct {
	Name   string // within the checkpoint: "state/0/7/12.delta"
	Prefix string // what stood before it: "hdfs://nn:8020/cp/orders"; "" for nothing
}

// Store is a state store that the trace names. What it does not say is -1 or "".
type Store struct {
	Operator, Partition int
	Name                string // "default"
	Version             int64
}

// Task is a task of Spark that failed.
type Task struct {
	Task    string // "3.0", as Spark numbers tasks and their attempts
	Stage   string // "12.0"
	Attempt string // the TID; "" where it was not printed
}

// Part is a partition of a topic. An offset that the trace does not say is -1.
type Part struct {
	Topic     string
	Partition int64
	From, To  int64 // the offset that was asked for, and where a range was, its end
}

// Name is the part as sources name theirs: "orders/0".
func (p Part) Name() string { return p.Topic + "/" + strconv.FormatInt(p.Partition, 10) }

// Reason is the innermost exception.
func (t *Trace) Reason() Cause { return t.Chain[len(t.Chain)-1] }

// Read reads a trace: all of r, of which the last Limit bytes count.
func Read(r io.Reader) (*Trace, error) {
	var kept bytes.Buffer
	cut := false
	chunk := make([]byte, 64<<10)
	for {
		n, err := r.Read(chunk)
		kept.Write(chunk[:n])
		if over := kept.Len() - Limit; over > Limit || err != nil && over > 0 {
			kept.Next(over)
			cut = true
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	t, err := Parse(kept.String())
	if t != nil {
		t.Cut = t.Cut || cut
	}
	return t, err
}

// Parse reads a trace: of Java, of PySpark, a part of a log with one in it, or a message alone. Where there
// are several errors, the last one that is known counts. The error is ErrNoTrace.
func Parse(text string) (*Trace, error) {
	t := &Trace{Batch: -1}
	if over := len(text) - Limit; over > 0 {
		for over < len(text) && !utf8.RuneStart(text[over]) {
			over++
		}
		text, t.Cut = text[over:], true
	}
	text = unfolded(text)
	chains := chainsOf(text)
	for _, chain := range slices.Backward(chains) {
		if t.Condition, t.At = recognise(chain); t.Condition != nil || t.Chain == nil {
			t.Chain = chain
		}
		if t.Condition != nil {
			break
		}
	}
	if t.Chain == nil {
		return nil, ErrNoTrace
	}
	for _, chain := range chains {
		if chain[0].Class != "" && &chain[0] != &t.Chain[0] {
			t.Others++
		}
	}
	t.gather(text)
	if t.Condition == nil && t.Name == "" && t.Batch < 0 && len(t.Files)+len(t.Stores)+len(t.Parts) == 0 && t.Query == "" && t.Chain[0].Class == "" {
		return nil, ErrNoTrace
	}
	return t, nil
}

// unfolded is a trace that was one string of JSON, with its line ends restored.
func unfolded(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text) // a terminal pastes line ends as \r
	if strings.Contains(text, `\n\tat `) {
		text = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`).Replace(text)
	}
	return text
}

// ---- exceptions

const class = `(?:[A-Za-z_]\w*\.)+[A-Z]\w*(?:\$\w+)*`

var (
	// headLine begins an exception: alone on its line or followed by its message.
	headLine = regexp.MustCompile(`^(\s*)(Caused by: |Suppressed: |: |Exception in thread "[^"]*" )?(` + class + `)(?:: ?(.*))?$`)
	// taskFailed is how the driver quotes what failed in a task; py4jFailed how Python quotes Java.
	taskFailed = regexp.MustCompile(`\(TID \d+\) ?\([^)]*\): (` + class + `)(?:: (.*))?$`)
	frameLine  = regexp.MustCompile(`^at [\w.$/@<>-]+\(`)
	// logLine begins a new entry of a log: "26/11/29 14:02:07 WARN …", "2026-11-29T14:02:07…".
	logLine = regexp.MustCompile(`^(?:\[?\d{2,4}[/-]\d{2}[/-]\d{2}[ T]\d{2}:\d{2}|Driver stacktrace:|Traceback \()`)
	// planLine begins what Spark prints of the query behind its message.
	planLine = regexp.MustCompile(`^=== Streaming Query ===`)
)

// chainsOf are the errors of a text, each with its causes, outermost first.
func chainsOf(text string) [][]Cause {
	r := &reading{}
	for line := range strings.Lines(text) {
		r.line(strings.TrimRight(line, "\n"))
	}
	return r.chains
}

// reading is a text of which lines are being read.
type reading struct {
	chains [][]Cause
	open   bool // the last chain takes further lines
	over   bool // the message of its last exception has ended
	frames int  // lines "at …" of that exception
	aside  int  // how far in the exception stands that was only suppressed, and is passed over; 0 for none
}

func (r *reading) line(line string) {
	var m []string
	if strings.Contains(line, ".") {
		m = headLine.FindStringSubmatch(line)
	}
	begun := strings.TrimLeft(line, " \t")
	switch {
	case m != nil && m[2] == "Suppressed: ":
		r.aside = len(m[1]) + 1
	case m != nil && m[2] == "Caused by: " && r.aside > 0 && len(m[1])+1 >= r.aside:
		// of what was suppressed
	case m != nil && (m[2] != "" || isThrowable(m[3])):
		r.begin(m[3], m[4], m[2] != "Caused by: " && m[2] != ": ")
	case r.aside > 0:
	case strings.HasPrefix(begun, "at ") && frameLine.MatchString(begun), strings.HasPrefix(begun, "... ") && strings.HasSuffix(begun, " more"):
		r.frame(begun)
	case !startsLog(line):
		r.text(line)
	case (taskFailed.MatchString(line) || bracketed.MatchString(line)):
		r.begin("", line, true)
	default:
		r.over = true
	}
}

// startsLog reports whether a line begins something else than a message goes on with.
func startsLog(line string) bool {
	return line != "" && strings.IndexByte("[0123456789DT", line[0]) >= 0 && logLine.MatchString(line)
}

// text takes in a line that is nothing but text.
func (r *reading) text(line string) {
	switch {
	case r.open && !r.over:
		r.more(line)
	case !r.open && strings.TrimSpace(line) != "":
		r.begin("", line, true)
	}
}

// begin takes in the first line of an exception: of a new chain, or of the last one. One that quotes what failed
// in a task is two.
func (r *reading) begin(class, message string, anew bool) {
	if anew || !r.open {
		r.chains = append(r.chains, nil)
		if len(r.chains) > chainLimit {
			r.chains = slices.Delete(r.chains, 0, 1)
		}
	}
	r.open, r.aside = true, 0
	inner := taskFailed.FindStringSubmatchIndex(message)
	if inner == nil {
		r.add(class, message)
		return
	}
	r.add(class, message[:inner[2]])
	rest := ""
	if inner[4] >= 0 {
		rest = message[inner[4]:inner[5]]
	}
	r.add(message[inner[2]:inner[3]], rest)
}

func (r *reading) add(class, message string) {
	chain := &r.chains[len(r.chains)-1]
	if len(*chain) == causeLimit { // the innermost ones count
		*chain = slices.Delete(*chain, 1, 2)
	}
	*chain = append(*chain, Cause{Class: class, Message: clipped(message, messageLimit)})
	r.frames, r.over = 0, false
}

func (r *reading) last() *Cause {
	chain := r.chains[len(r.chains)-1]
	return &chain[len(chain)-1]
}

// more takes in a further line of the message.
func (r *reading) more(line string) {
	if planLine.MatchString(line) {
		r.over = true
		return
	}
	if c := r.last(); len(c.Message) < messageLimit {
		c.Message = clipped(c.Message+"\n"+line, messageLimit)
	}
}

func (r *reading) frame(line string) {
	if !r.open {
		return
	}
	r.over = true
	if r.frames++; r.frames <= frameLimit {
		r.last().frames += clipped(strings.TrimSpace(line), 300) + "\n"
	}
}

// clipped is the beginning of a text, no character cut in two.
func clipped(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// isThrowable reports whether a class that a line begins with is an exception: its name says so, or it is
// one of the few of Spark's whose name does not.
func isThrowable(class string) bool {
	for _, end := range []string{"Exception", "Error", "Throwable", "Failure", "Failed", "NotCompatible", "NotEmpty", "Exceeded", "Mismatch", "Change", "Evolution"} {
		if strings.HasSuffix(class, end) {
			return true
		}
	}
	return strings.HasPrefix(class, "org.apache.spark.sql.execution.streaming.")
}

// ---- what the exceptions name

var (
	bracketed = regexp.MustCompile(`\[(_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:\.[A-Z0-9_]+)*)\]`)
	sqlState  = regexp.MustCompile(`SQLSTATE: ([0-9A-Z]{5})\b`)
	uuid      = `([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})`
	queryID   = regexp.MustCompile(`(?:^|[^\w])(?:id|queryId|query_id)"? ?[=:] ?"?` + uuid)
	runID     = regexp.MustCompile(`(?:runId|run_id|queryRunId)"? ?[=:] ?"?` + uuid)
	tasks     = regexp.MustCompile(`[Tt]ask (\d+(?:\.\d+)?) in stage (\d+(?:\.\d+)?)(?: \(TID (\d+)\))?`)

	// stores are the ways in which releases print the id of a state store: operator, partition, name.
	stores = []*regexp.Regexp{
		regexp.MustCompile(`\(op(?:Id)?=(\d{1,9}), ?part(?:Id)?=(\d{1,9})(?:, ?name=([^)\s]{1,200}))?\)`),
		regexp.MustCompile(`operatorId ?[=:] ?(\d{1,9}), ?partitionId ?[=:] ?(\d{1,9})(?:, ?storeName ?[=:] ?([^\]\s]{1,200}))?`),
	}
	// versions are how a version of state is named in words.
	versions = regexp.MustCompile(`(?i)\bversion(?: |=|: ?)(\d{1,18})\b`)

	// batches are how batches and entries of logs are named, what is surest first.
	batches = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\bbatch (\d{1,18}) (?:doesn't exist|was not found|not found|was committed without)`),
		regexp.MustCompile(`(?i)log file for batch (\d{1,18})`),
		regexp.MustCompile(`(?i)streaming jobs detected for (\d{1,18})`),
		regexp.MustCompile(`\bbatches \((\d{1,18})`),
		regexp.MustCompile(`(?i)\bbatch(?: ?id)?"?\s*[=:]\s*(\d{1,18})\b`),
		regexp.MustCompile(`(?i)\bbatch (\d{1,18})\b`),
	}
)

// gather collects what the chain names, the innermost exceptions first; the ids of query and run may also
// stand elsewhere in the text.
func (t *Trace) gather(text string) {
	for _, c := range slices.Backward(t.Chain) {
		text := c.Class + ": " + c.Message
		t.Name = cmp.Or(t.Name, telling(text))
		t.SQLState = cmp.Or(t.SQLState, first(sqlState, text))
		t.files(text)
		t.stores(text)
		t.tasks(text)
		t.parts(text)
		if t.Batch < 0 {
			t.Batch = batchIn(text)
		}
	}
	if t.Batch < 0 {
		t.Batch = batchOfFile(t.Files)
	}
	whole := chainText(t.Chain)
	t.Query = cmp.Or(first(queryID, whole), last(queryID, text))
	t.Run = cmp.Or(first(runID, whole), last(runID, text))
	if len(t.Tasks) == 0 {
		t.tasks(text)
	}
}

func chainText(chain []Cause) string {
	var b strings.Builder
	for _, c := range chain {
		b.WriteString(c.Class + ": " + c.Message + "\n")
	}
	return b.String()
}

// wrappers are conditions that only say that something failed; what failed stands within.
var wrappers = []string{"STREAM_FAILED", "FOREACH_BATCH_USER_FUNCTION_ERROR", "INTERNAL_ERROR", "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED", "FAILED_EXECUTE_UDF", "TASK_WRITE_FAILED"}

// telling is the last condition of a text that says what failed; of those that do not, the first.
func telling(text string) string {
	found := ""
	for _, m := range bracketed.FindAllStringSubmatch(text, placeLimit) {
		if !slices.Contains(wrappers, m[1]) {
			found = m[1]
		} else if found == "" && m[1] == "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED" {
			found = m[1]
		}
	}
	return found
}

func first(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

func last(re *regexp.Regexp, text string) string {
	if all := re.FindAllStringSubmatch(text, -1); len(all) > 0 {
		return all[len(all)-1][1]
	}
	return ""
}

// batchIn is the batch that a text names, -1 for none.
func batchIn(text string) int64 {
	for _, re := range batches {
		if n, ok := number(first(re, text)); ok {
			return n
		}
	}
	return -1
}

func number(digits string) (int64, bool) {
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

func (t *Trace) tasks(text string) {
	for _, m := range tasks.FindAllStringSubmatch(text, placeLimit) {
		x := Task{m[1], m[2], m[3]}
		i := slices.IndexFunc(t.Tasks, func(y Task) bool {
			return y.Stage == x.Stage && (y.Task == x.Task || strings.HasPrefix(x.Task, y.Task+"."))
		})
		switch {
		case i >= 0 && t.Tasks[i].Attempt == "":
			t.Tasks[i] = x
		case i < 0 && len(t.Tasks) < placeLimit:
			t.Tasks = append(t.Tasks, x)
		}
	}
}

func (t *Trace) stores(text string) {
	version := int64(-1)
	if n, ok := number(first(versions, text)); ok && strings.Contains(strings.ToLower(text), "state") {
		version = n
	}
	for _, re := range stores {
		for _, m := range re.FindAllStringSubmatch(text, placeLimit) {
			op, _ := strconv.Atoi(m[1])
			part, _ := strconv.Atoi(m[2])
			t.store(Store{op, part, m[3], version})
		}
	}
	for _, f := range t.Files {
		if s, ok := storeOfFile(f.Name); ok {
			t.store(s)
		}
	}
}

// store adds a store, or what it says of one that is there.
func (t *Trace) store(s Store) {
	for i := range t.Stores {
		o := &t.Stores[i]
		if o.Operator == s.Operator && o.Partition == s.Partition && (o.Name == "" || s.Name == "" || o.Name == s.Name) {
			o.Name = cmp.Or(o.Name, s.Name)
			if o.Version < 0 {
				o.Version = s.Version
			}
			return
		}
	}
	if len(t.Stores) < placeLimit {
		t.Stores = append(t.Stores, s)
	}
}
