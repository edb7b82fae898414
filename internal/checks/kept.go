package checks

import (
	"cmp"
	"fmt"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
)

// Kept is what the sources still have of what the next start reads.
type Kept struct {
	Sources []KeptSource                  // those of which something is known, in plan order
	Asked   []availability.SourceProgress // all sources of the newest plan, in its order
	Unfit   []string                      // of what was given and fits no source: why, each one sentence without a full stop
}

// KeptSource is one source: what it keeps, held against what the next start reads.
type KeptSource struct {
	availability.Source
	Recorded availability.SourceProgress
	Key      string     // how the plan tells it from the others: its place, or its name
	Other    string     // it is not the one that was read, and what shows that; "" otherwise
	Reads    []KeptPart // in the order of the plan, then those that only the source has

	Topics []string // that a source of Kafka's form reads, as the checkpoint and the spec have it; nil where that is not known
}

// KeptPart is one part of a source: what the next start reads of it, and what exists.
type KeptPart struct {
	Name             string
	From             *source.Position // where the next start begins; nil where that is not recorded
	To               *source.Position // where the batch ends that runs again; nil where none does
	Earliest, Latest *source.Position // see availability.Part
	Joined           bool             // the checkpoint has no position of it: it was added
	State            KeptState
	Gone             int64 // how many units lie before the first that is left, exactly; meaningful only if GoneKnown
	GoneKnown        bool
	Left             int64 // of a batch that runs again: how many of its units are left; meaningful only if LeftKnown
	LeftKnown        bool
	Lag              int64 // how far From lies behind Latest; meaningful only if LagKnown
	LagKnown         bool
	Unit             string // what Gone, Left and Lag count
	Until            int64  // until when all of it is kept at least, ms since the epoch; 0 where not known
}

// KeptState is how much of what the next start reads is still there.
type KeptState string

// The states of a part, by the words of the JSON.
const (
	Complete   KeptState = "complete"
	PartlyGone KeptState = "partly-gone" // the first of it is gone
	AllGone    KeptState = "gone"        // all of the batch that runs again
	MaybeGone  KeptState = "maybe-gone"  // the source begins later, and whether anything lay between is not recorded
	Beyond     KeptState = "beyond"      // the source ends before the position: it was created again, or lost its end
	Another    KeptState = "another"     // what exists is not what was read
	NotThere   KeptState = "not-there"   // the source has no such part any more
	Joins      KeptState = "joins"       // the source has it, and the checkpoint does not know it yet
	NotJudged  KeptState = "not-judged"
)

// Lossy reports whether something is, or may be, missing.
func (s KeptState) Lossy() bool { return s == PartlyGone || s == AllGone || s == MaybeGone }

// Lost reports whether a part does not have, or may not have, what the next start reads.
func (s KeptState) Lost() bool {
	return s.Lossy() || s == Beyond || s == Another || s == NotThere
}

// Source is what is known of a source by its index; nil for nothing.
func (k *Kept) Source(index int) *KeptSource {
	if k == nil {
		return nil
	}
	for i := range k.Sources {
		if k.Sources[i].Recorded.Index == index {
			return &k.Sources[i]
		}
	}
	return nil
}

// Unit is what the positions of a source count.
func (k *KeptSource) Unit() string {
	return cmp.Or(k.Kind().Whole, k.Kind().Unit)
}

// Wholes reports whether the source is kept by whole versions, of which the leading number of a position is one.
func (k *KeptSource) Wholes() bool { return k.Kind().Whole != "" }

// Kind is what is known of its kind; never nil.
func (k *KeptSource) Kind() *availability.Kind { return availability.Of(k.Recorded.Kind) }

// ToldBy is what told what a source keeps.
func (s *KeptSource) ToldBy() string {
	if s.At.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", s.From, s.At.Line, s.At.Column)
	}
	return s.From
}

// Say is a position as a person reads it: a number, or "version 805".
func (s *KeptSource) Say(at *source.Position) string {
	if s.Wholes() {
		return fmt.Sprintf("%s %d", strings.TrimSuffix(s.Unit(), "s"), at.Num)
	}
	if _, ms, ok := strings.Cut(at.Text, "AT_TIMESTAMP "); ok && at.Num > 0 && ms != "" {
		return Utc(at.Num)
	}
	return at.Text
}

func (s *KeptSource) Preposition() string {
	if s.Recorded.From.Kinds != nil && s.Recorded.Kind != nil && s.Recorded.Kind.Inclusive && !s.Wholes() {
		return "after"
	}
	return "at"
}
