package ui

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
)

// What a command line may go on with: from what is known already, for nothing is read to complete a line.

// mostOffers is how many candidates are offered.
const mostOffers = 50

// complete are the lines that a text may become, likeliest first.
func (a *App) complete(text string) []candidate {
	text = strings.TrimLeft(text, " ")
	first, rest, more := strings.Cut(text, " ")
	var out []candidate
	if !more {
		out = a.firstWords(first)
	} else {
		for _, c := range specs {
			if c.command == first && c.complete != nil {
				head, last := first+" ", rest
				if i := strings.LastIndexByte(rest, ' '); i >= 0 {
					head, last = head+rest[:i+1], rest[i+1:]
				}
				for _, o := range c.complete(&a.session, strings.Fields(rest[:len(rest)-len(last)]), last) {
					out = append(out, candidate{head + o.line, o.does})
				}
			}
		}
	}
	out = slices.DeleteFunc(out, func(c candidate) bool { return c.line == text }) // that is typed already
	return out[:min(len(out), mostOffers)]
}

// firstWords are the commands that begin with a text, then batches, then files.
func (a *App) firstWords(text string) []candidate {
	var out []candidate
	for _, c := range specs {
		if strings.HasPrefix(c.command, text) {
			line := c.command
			if c.need {
				line += " "
			}
			out = append(out, candidate{line, strings.TrimSpace(c.args + "  " + c.does)})
		}
	}
	if text == "" {
		return out
	}
	return append(append(out, batchWords(&a.session, nil, text)...), fileWords(&a.session, nil, text)...)
}

// batchWords are the batches whose number begins with a text, newest first.
func batchWords(s *session, before []string, text string) []candidate {
	if s.cp == nil || len(before) > 0 || strings.Trim(text, "0123456789") != "" {
		return nil
	}
	var out []candidate
	add := func(id int64) {
		what := "a batch, committed"
		if s.cp.Commits.Find(id) == nil {
			what = "a batch, not committed"
		}
		out = append(out, candidate{strconv.FormatInt(id, 10), what})
	}
	if id, err := strconv.ParseInt(text, 10, 64); err == nil && (s.cp.Offsets.Find(id) != nil || s.cp.Commits.Find(id) != nil) {
		add(id)
	}
	for id := range newest(s.cp, mostSearched) {
		if digits := strconv.FormatInt(id, 10); strings.HasPrefix(digits, text) && digits != text && len(out) < mostOffers {
			add(id)
		}
	}
	return out
}

// compareWords are two batches.
func compareWords(s *session, before []string, text string) []candidate {
	if len(before) > 1 {
		return nil
	}
	return batchWords(s, nil, text)
}

// mostSearched is how many files of a folder are looked at for those that begin with what is typed.
const mostSearched = 5000

// newest yields the newest batches, n at most, that have a file in offsets or commits.
func newest(c *checkpoint.Checkpoint, n int) func(yield func(int64) bool) {
	return func(yield func(int64) bool) {
		o, p := c.Offsets.Files, c.Commits.Files
		last := int64(-1)
		for n > 0 && len(o)+len(p) > 0 {
			var id int64
			if len(p) == 0 || len(o) > 0 && o[len(o)-1].ID >= p[len(p)-1].ID {
				id, o = o[len(o)-1].ID, o[:len(o)-1]
			} else {
				id, p = p[len(p)-1].ID, p[:len(p)-1]
			}
			if id == last {
				continue
			}
			if last = id; !yield(id) {
				return
			}
			n--
		}
	}
}

// fileWords are the files and folders that are known, whose path begins with a text.
func fileWords(s *session, before []string, text string) []candidate {
	if s.cp == nil || len(before) > 0 {
		return nil
	}
	dir, base := path.Split(text)
	var out []candidate
	add := func(name, what string) {
		if strings.HasPrefix(name, base) && len(out) < mostOffers {
			out = append(out, candidate{quote(dir + name), what})
		}
	}
	switch {
	case dir == "":
		addEntries(s.cp.Root, add)
	case dir == "offsets/":
		addLog(&s.cp.Offsets, add)
	case dir == "commits/":
		addLog(&s.cp.Commits, add)
	case dir == "sources/":
		addEntries(s.cp.Sources, add)
	case dir == "state/":
		addEntries(s.cp.State, add)
	default:
		addState(s, strings.TrimSuffix(dir, "/"), add)
	}
	return out
}

func addLog(d *checkpoint.LogDir, add func(name, what string)) {
	files := d.Files[max(len(d.Files)-mostSearched, 0):]
	for _, f := range slices.Backward(files) {
		add(f.Name, size(f.Size))
	}
}

// addState adds what lies in a folder of state, as it was listed to examine it.
func addState(s *session, dir string, add func(name, what string)) {
	for i := range s.verdict.Operators {
		op := &s.verdict.Operators[i]
		for j := range op.Partitions {
			p := &op.Partitions[j]
			if op.Dir == dir {
				add(strconv.Itoa(p.ID)+"/", "a partition")
			}
			for k := range p.Stores {
				store := &p.Stores[k]
				if path.Dir(store.Dir) == dir && op.Dir != dir {
					add(path.Base(store.Dir)+"/", "a store")
				}
				if store.Dir != dir {
					continue
				}
				for _, f := range slices.Backward(store.Files) {
					add(f.Name(), size(f.Size))
				}
			}
		}
	}
}

// storeWords are the operators and their partitions, as a line names them.
func storeWords(s *session, before []string, text string) []candidate {
	if len(before) > 0 {
		return nil
	}
	var out []candidate
	add := func(line, what string) {
		if strings.HasPrefix(line, text) && len(out) < mostOffers {
			out = append(out, candidate{line, what})
		}
	}
	for i := range s.verdict.Operators {
		op := &s.verdict.Operators[i]
		add(strconv.Itoa(op.ID), headline(op))
	}
	for i := range s.verdict.Operators {
		op := &s.verdict.Operators[i]
		for j := range op.Partitions {
			add(fmt.Sprintf("%d/%d", op.ID, op.Partitions[j].ID), "a partition")
		}
	}
	return out
}

// sortWords are the orders, after what words makes.
func sortWords(names []string, words func(*session, []string, string) []candidate) func(*session, []string, string) []candidate {
	return func(s *session, before []string, text string) []candidate {
		out := words(s, before, text)
		if n := len(before); n > 0 && before[n-1] == "sort" {
			return starting(text, names, "an order")
		} else if !slices.Contains(before, "sort") {
			out = append(out, starting(text, []string{"sort "}, "by "+strings.Join(names, ", "))...)
		}
		return out
	}
}

func starting(text string, words []string, what string) []candidate {
	var out []candidate
	for _, w := range words {
		if strings.HasPrefix(w, text) {
			out = append(out, candidate{w, what})
		}
	}
	return out
}

// rowsWords are the words of the command rows.
func rowsWords(s *session, before []string, text string) []candidate {
	if len(before) == 0 {
		return storeWords(s, nil, text)
	}
	switch before[len(before)-1] {
	case "batch", "since":
		return batchWords(s, nil, text)
	case "key", "store", "view":
		return nil
	}
	if len(before)%2 == 0 {
		return nil // a value
	}
	var out []candidate
	for _, w := range [][2]string{{"batch ", "as this batch left them"}, {"since ", "only those that differ from this earlier batch"}, {"key ", `only those of a key: {"shop_id": 7}`},
		{"store ", "of this store, where there are several"}, {"view ", "in another form"}} {
		if !slices.Contains(before, strings.TrimSpace(w[0])) {
			out = append(out, starting(text, w[:1], w[1])...)
		}
	}
	return out
}

// findingWords are the codes of what was found, and of what did not run.
func findingWords(s *session, before []string, text string) []candidate {
	if len(before) > 0 {
		return nil
	}
	var out []candidate
	have := map[string]bool{}
	add := func(code, what string) {
		if strings.HasPrefix(code, text) && !have[code] {
			have[code] = true
			out = append(out, candidate{code, what})
		}
	}
	for i := range s.verdict.Findings {
		f := &s.verdict.Findings[i]
		add(f.Code, f.Severity.String()+": "+prose(f.Title))
	}
	for i := range s.verdict.NotRun {
		add(s.verdict.NotRun[i].Code, "not run: "+needs(&s.verdict.NotRun[i]))
	}
	return out
}

// driftWords are the fields that are compared.
func driftWords(s *session, before []string, text string) []candidate {
	if len(before) > 0 {
		return nil
	}
	d := newDrift(s)
	d.gather()
	var out []candidate
	for _, x := range d.rows {
		if strings.HasPrefix(x.Field, text) {
			out = append(out, candidate{quote(x.Field), string(x.Effect)})
		}
	}
	return out
}

func questionWords(_ *session, before []string, text string) []candidate {
	if len(before) > 0 {
		return nil
	}
	var out []candidate
	for i := range questionNames {
		if n := strconv.Itoa(i + 1); strings.HasPrefix(n, text) {
			out = append(out, candidate{n, questionNames[i].asks})
		}
	}
	return out
}

func noWords(*session, []string, string) []candidate { return nil }

func addEntries(l checkpoint.Listing, add func(name, what string)) {
	for _, i := range inOrder(&l) {
		switch e := &l.Entries[i]; {
		case e.Dir:
			add(e.Name+"/", "a folder")
		default:
			add(e.Name, size(e.Size))
		}
	}
}
