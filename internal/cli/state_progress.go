package cli

import (
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
	"tidemark/storage"
)

// rowProgress shows on stderr how far the rows of a store have come. Rows may be long in coming, so it is
// told beside them.
type rowProgress struct {
	*progress
	partitions int64 // of the operator; 1 where only one is read
	traffic    func() string

	rows      atomic.Int64
	partition atomic.Int64 // of the newest row
	before    atomic.Int64 // rows of the partitions before it

	writing sync.Mutex // over stderr
}

// rowProgress returns the progress of the rows of a store, or of one partition; nil where no person would see
// it: stderr is no terminal, or the rows themselves go to one, unless they are quiet.
func (a *app) rowProgress(s *statestore.State, partition int, quiet bool) *rowProgress {
	p := &rowProgress{progress: a.progress(), partitions: 1, traffic: a.traffic}
	if p.w == nil || !quiet && isTerminal(a.Out) {
		return nil
	}
	if partition < 0 {
		p.partitions = int64(s.Operator.Recorded)
		if all := s.Operator.Partitions; len(all) > 0 {
			p.partitions = max(p.partitions, int64(all[len(all)-1].ID)+1)
		}
	}
	return p
}

// watched passes rows on, or what else stands for some rows of a partition. While an error is passed on,
// which is written to stderr too, the line is away.
func watched[T any](p *rowProgress, rows iter.Seq2[T, error], what func(*T) (partition int, rows int64)) iter.Seq2[T, error] {
	if p == nil {
		return rows
	}
	return func(yield func(T, error) bool) {
		stop := storage.Poll(progressEvery, p.report)
		defer func() {
			stop()
			p.clear()
		}()
		for r, err := range rows {
			if err != nil {
				if !p.pause(func() bool { return yield(r, err) }) {
					return
				}
				continue
			}
			p.add(what(&r))
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (p *rowProgress) add(partition int, rows int64) {
	if at := int64(partition); at != p.partition.Load() {
		p.before.Store(p.rows.Load())
		p.partition.Store(at)
	}
	p.rows.Add(rows)
}

// pause takes the line away while something else is written.
func (p *rowProgress) pause(write func() bool) bool {
	if p == nil {
		return write()
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	p.clear()
	return write()
}

// report writes the line, unless something else is being written.
func (p *rowProgress) report() {
	if p.writing.TryLock() {
		defer p.writing.Unlock()
		p.say("%s; ctrl+c stops; %s", p.text(p.now().Sub(p.began)), p.traffic())
	}
}

// text returns how far it has come after a time: "1,234,567 rows, 37 of 200 partitions, about 2 min left".
func (p *rowProgress) text(after time.Duration) string {
	rows, partition := p.rows.Load(), p.partition.Load()
	text := rowsText(rows)
	if rows == 0 {
		text = "no rows yet"
	}
	if p.partitions > 1 {
		text += fmt.Sprintf(", %s of %s partitions", phrase.Count(partition), phrase.Count(p.partitions))
		text += p.remaining(after, rows, partition)
	}
	return text
}

// remaining returns about how long it will go on: as long for each partition as for those that are done. Keys are
// spread by their hash, so that partitions are about as large as one another.
func (p *rowProgress) remaining(after time.Duration, rows, partition int64) string {
	before := p.before.Load()
	if partition < 1 || before < 1 {
		return ""
	}
	usual := float64(before) / float64(partition)
	done := float64(partition) + min(float64(rows-before)/usual, 1)
	left := time.Duration(float64(after) * (float64(p.partitions) - done) / done)
	switch {
	case left < 10*time.Second:
		return ", some seconds left"
	case left < 90*time.Second:
		return fmt.Sprintf(", about %d s left", left.Round(10*time.Second)/time.Second)
	case left < 90*time.Minute:
		return fmt.Sprintf(", about %d min left", left.Round(time.Minute)/time.Minute)
	}
	return fmt.Sprintf(", about %d h left", left.Round(time.Hour)/time.Hour)
}
