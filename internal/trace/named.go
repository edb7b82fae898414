package trace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// What exceptions name: conditions, ids, tasks, batches, state stores.

const uuid = `([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})`

var (
	bracketed = patternOf(`\[(_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:\.[A-Z0-9_]+)*)\]`)
	sqlState  = patternOf(`SQLSTATE: ([0-9A-Z]{5})\b`)
	queryID   = patternOf(`(?:^|[^\w\s]|\s\s|[^e\s]\s)(?:id|queryId|query_id)"? ?[=:] ?"?` + uuid) // not "table id: …"
	runID     = patternOf(`(?:runId|run_id|queryRunId)"? ?[=:] ?"?` + uuid)
	tasks     = patternOf(`[Tt]ask (\d+(?:\.\d+)?) in stage (\d+(?:\.\d+)?)(?: \(TID (\d+)\))?`)

	// stores are the ways in which releases print the id of a state store: operator, partition, name.
	stores = []*pattern{
		patternOf(`\(op(?:Id)?=(\d{1,9}), ?part(?:Id)?=(\d{1,9})(?:, ?name=([^)\s]{1,200}))?\)`),
		patternOf(`operatorId ?[=:] ?(\d{1,9}), ?partitionId ?[=:] ?(\d{1,9})(?:, ?storeName ?[=:] ?([^\]\s]{1,200}))?`),
	}
	// versions are how a version of state is named in words.
	versions = patternOf(`(?i)\bversion(?: |=|: ?)(\d{1,18})\b`)

	// batches are how batches and entries of logs are named, what is surest first.
	batches = []*pattern{
		patternOf(`(?i)\bbatch (\d{1,18}) (?:doesn't exist|was not found|not found|was committed without)`),
		patternOf(`(?i)log file for batch (\d{1,18})`),
		patternOf(`(?i)streaming jobs detected for (\d{1,18})`),
		patternOf(`\bbatches \((\d{1,18})`),
		patternOf(`(?i)\bbatch(?: ?id)?"?\s*[=:]\s*(\d{1,18})\b`),
		patternOf(`(?i)\bbatch (\d{1,18})\b`),
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

func first(re *pattern, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

func last(re *pattern, text string) string {
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
