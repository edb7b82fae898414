package kit

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// What a command line may go on with: from what is known already, for nothing is read to complete a line.

// MostOffers is how many candidates are offered.
const MostOffers = 50

// CompleteBatches are the batches whose number begins with a text, newest first.
func CompleteBatches(s *Session, before []string, text string) []Candidate {
	if s.Checkpoint == nil || len(before) > 0 || strings.Trim(text, "0123456789") != "" {
		return nil
	}
	var out []Candidate
	add := func(id int64) {
		what := "a batch, committed"
		if s.Checkpoint.Commits.Find(id) == nil {
			what = "a batch, not committed"
		}
		out = append(out, Candidate{strconv.FormatInt(id, 10), what})
	}
	if id, err := strconv.ParseInt(text, 10, 64); err == nil &&
		(s.Checkpoint.Offsets.Find(id) != nil || s.Checkpoint.Commits.Find(id) != nil) {
		add(id)
	}
	for id := range Newest(s.Checkpoint, mostSearched) {
		if digits := strconv.FormatInt(id, 10); strings.HasPrefix(digits, text) && digits != text && len(out) < MostOffers {
			add(id)
		}
	}
	return out
}

// CompleteTwoBatches are two batches.
func CompleteTwoBatches(s *Session, before []string, text string) []Candidate {
	if len(before) > 1 {
		return nil
	}
	return CompleteBatches(s, nil, text)
}

// mostSearched is how many files of a folder are looked at for those that begin with what is typed.
const mostSearched = 5000

// Newest yields the newest batches, n at most, that have a file in offsets or commits.
func Newest(c *checkpoint.Checkpoint, n int) func(yield func(int64) bool) {
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

// CompleteFiles are the files and folders that are known, whose path begins with a text.
func CompleteFiles(s *Session, before []string, text string) []Candidate {
	if s.Checkpoint == nil || len(before) > 0 {
		return nil
	}
	dir, base := path.Split(text)
	var out []Candidate
	add := func(name, what string) {
		if strings.HasPrefix(name, base) && len(out) < MostOffers {
			out = append(out, Candidate{Quote(dir + name), what})
		}
	}
	switch {
	case dir == "":
		addEntries(s.Checkpoint.Root, add)
	case dir == "offsets/":
		addLog(&s.Checkpoint.Offsets, add)
	case dir == "commits/":
		addLog(&s.Checkpoint.Commits, add)
	case dir == "sources/":
		addEntries(s.Checkpoint.Sources, add)
	case dir == "state/":
		addEntries(s.Checkpoint.State, add)
	default:
		addState(s, strings.TrimSuffix(dir, "/"), add)
	}
	return out
}

func addLog(d *checkpoint.LogDir, add func(name, what string)) {
	files := d.Files[max(len(d.Files)-mostSearched, 0):]
	for _, f := range slices.Backward(files) {
		add(f.Name, phrase.Bytes(f.Size))
	}
}

// addState adds what lies in a folder of state, as it was listed to examine it.
func addState(s *Session, dir string, add func(name, what string)) {
	for i := range s.Verdict.Operators {
		op := &s.Verdict.Operators[i]
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
					add(f.Name(), phrase.Bytes(f.Size))
				}
			}
		}
	}
}

// CompleteStores are the operators and their partitions, as a line names them.
func CompleteStores(s *Session, before []string, text string) []Candidate {
	if len(before) > 0 {
		return nil
	}
	var out []Candidate
	add := func(line, what string) {
		if strings.HasPrefix(line, text) && len(out) < MostOffers {
			out = append(out, Candidate{line, what})
		}
	}
	for i := range s.Verdict.Operators {
		op := &s.Verdict.Operators[i]
		add(strconv.Itoa(op.ID), page.OperatorHead(op))
	}
	for i := range s.Verdict.Operators {
		op := &s.Verdict.Operators[i]
		for j := range op.Partitions {
			add(fmt.Sprintf("%d/%d", op.ID, op.Partitions[j].ID), "a partition")
		}
	}
	return out
}

// CompleteSort are the orders, after what words makes.
func CompleteSort(names []string, words func(*Session, []string, string) []Candidate) func(*Session, []string, string) []Candidate {
	return func(s *Session, before []string, text string) []Candidate {
		out := words(s, before, text)
		if n := len(before); n > 0 && before[n-1] == "sort" {
			return Starting(text, names, "an order")
		} else if !slices.Contains(before, "sort") {
			out = append(out, Starting(text, []string{"sort "}, "by "+strings.Join(names, ", "))...)
		}
		return out
	}
}

func Starting(text string, words []string, what string) []Candidate {
	var out []Candidate
	for _, w := range words {
		if strings.HasPrefix(w, text) {
			out = append(out, Candidate{w, what})
		}
	}
	return out
}

func CompleteNothing(*Session, []string, string) []Candidate { return nil }

func addEntries(l checkpoint.Listing, add func(name, what string)) {
	for _, i := range InOrder(&l) {
		switch e := &l.Entries[i]; {
		case e.Dir:
			add(e.Name+"/", "a folder")
		default:
			add(e.Name, phrase.Bytes(e.Size))
		}
	}
}

// Candidate is what a line may be completed to.
type Candidate struct{ Line, Does string }
