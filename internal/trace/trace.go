package trace

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tidemark/internal/mask"
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

// ErrNoTrace is a text in which nothing of an error of Spark was recognized.
var ErrNoTrace = errors.New("this text contains no Spark error: no exception, no error condition in brackets, no checkpoint file, no batch")

// Trace is what a text says of an error, as far as it was recognized. It is what Spark wrote, not what is.
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
	text = mask.URLs(strings.ToValidUTF8(unwrapped(text), "\ufffd")) // other bytes are in no name and no message of Spark's
	chains := chainsOf(text)
	for _, chain := range slices.Backward(chains) {
		if t.Condition, t.At = recognize(chain); t.Condition != nil || t.Chain == nil {
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
