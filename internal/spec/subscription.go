package spec

import (
	"fmt"
	"regexp"
	"slices"
)

// Subscription is which partitions of which topics a source reads, as a spec declares it.
type Subscription struct {
	Topics []string // by name; nil where it is declared otherwise
	Assign []TopicPartitions
	match  *regexp.Regexp
}

// Subscription returns what is declared of the topics. ok is false where nothing is; the error is about a pattern that cannot be read.
func (s *Source) Subscription() (sub Subscription, ok bool, err error) {
	if s == nil || len(s.subscriptions()) == 0 {
		return sub, false, nil
	}
	sub.Topics, sub.Assign = s.Topics, s.Assign
	if s.Pattern != "" {
		if sub.match, err = regexp.Compile("^(?:" + s.Pattern + ")$"); err != nil {
			return sub, false, fmt.Errorf("the pattern cannot be parsed: %w", err)
		}
	}
	return sub, true, nil
}

// Pattern reports whether the topics are those that match a pattern: then one that does not exist is none of them.
func (s *Subscription) Pattern() bool { return s.match != nil }

// ReadsTopic reports whether any partition of a topic is read.
func (s *Subscription) ReadsTopic(topic string) bool {
	return slices.Contains(s.Topics, topic) || s.match != nil && s.match.MatchString(topic) || s.assigned(topic) != nil
}

// Reads reports whether a partition of a topic is read.
func (s *Subscription) Reads(topic string, partition int64) bool {
	if s.Assign != nil {
		return slices.Contains(s.assigned(topic), partition)
	}
	return s.ReadsTopic(topic)
}

func (s *Subscription) assigned(topic string) []int64 {
	for _, t := range s.Assign {
		if t.Topic == topic {
			return t.Partitions
		}
	}
	return nil
}

// Named returns the topics that are declared by name, in their order; nil for a pattern.
func (s *Subscription) Named() []string {
	named := slices.Clone(s.Topics)
	for _, t := range s.Assign {
		named = append(named, t.Topic)
	}
	return named
}
