//go:build servers

package e2e

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tidemark/internal/spec"
	"tidemark/internal/testfiles"
)

// restartStories are restarts of queries that read Kafka, as real Spark did them; their README says what an archive has.
const restartStories = "internal/checks/examine/testdata/restarts/*-kafka-*.tar.gz"

// restartStory is one of them, unpacked: a checkpoint, a spec, and what the broker had at the restart.
type restartStory struct {
	*testing.T
	name, dir string
	sources   []toldSource
	topics    map[string]stood // of the broker, by name
	deleted   map[string]bool  // topics by the end of their name
	live      agreed           // the verdict of the program that asked the broker
}

// stood is a topic of the broker at the restart.
type stood struct {
	partitions []ends    // from 0
	written    time.Time // when its records were
}

// toldSource is an entry of the file of positions.
type toldSource struct {
	Index    int                         `json:"index"`
	Earliest map[string]map[string]int64 `json:"earliest"`
	Latest   map[string]map[string]int64 `json:"latest"`
	Created  map[string]int64            `json:"created_ms,omitempty"`
	Gone     map[string]any              `json:"gone,omitempty"` // true for a topic, else numbers of partitions
}

// ends are the first offset of a partition that is there, and the one that comes next.
type ends struct{ earliest, latest int64 }

// readRestartStory unpacks a story and works out which topics the broker had. The file of positions then says what the broker lacked.
//
// All times are moved, so that the newest plan was made two hours ago. Where a topic was made again after it, its records are written
// after it too.
func readRestartStory(t *testing.T, archive string) *restartStory {
	t.Helper()
	s := &restartStory{T: t, dir: t.TempDir(), topics: map[string]stood{}, deleted: map[string]bool{}}
	s.name = strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
	for h, data := range testfiles.In(t, archive) {
		if h.Typeflag == tar.TypeReg {
			s.write(h.Name, data)
		}
	}
	s.listed()
	s.move()
	for i, topics := range s.named() {
		for topic, offsets := range topics {
			s.complete(i, topic, offsets)
		}
	}
	data, err := json.Marshal(map[string]any{"positions": 1, "sources": s.sources})
	if err != nil {
		t.Fatal(err)
	}
	s.write("positions.json", data)
	return s
}

func (s *restartStory) file(name string) string {
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

func (s *restartStory) write(name string, data []byte) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(s.file(name)), 0o777); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(s.file(name), data, 0o666); err != nil {
		s.Fatal(err)
	}
}

func (s *restartStory) read(name string) []byte {
	s.Helper()
	data, err := os.ReadFile(s.file(name))
	if err != nil {
		s.Fatal(err)
	}
	return data
}

// listed takes the topics that the positions list, and those that were deleted.
func (s *restartStory) listed() {
	s.Helper()
	var positions struct{ Sources []toldSource }
	var record struct {
		Done struct{ Events [][]any } // what was done, to which topic
	}
	for name, into := range map[string]any{"positions.json": &positions, "record.json": &record} {
		if err := json.Unmarshal(s.read(name), into); err != nil {
			s.Fatalf("%s: %s: %v", s.name, name, err)
		}
	}
	for _, event := range record.Done.Events {
		if event[0] == "delete" {
			s.deleted[fmt.Sprintf(".t%v", event[1])] = true
		}
	}
	s.sources = positions.Sources
	for _, told := range s.sources {
		for topic, latest := range told.Latest {
			partitions := make([]ends, len(latest))
			for n := range latest {
				number, err := strconv.Atoi(n)
				if err != nil {
					s.Fatalf("%s: %v", s.name, err)
				}
				partitions[number] = ends{told.Earliest[topic][n], latest[n]}
			}
			s.topics[topic] = stood{partitions, longAgo}
		}
	}
}

// move moves the times of plans, and of topics that were made again.
func (s *restartStory) move() {
	s.Helper()
	entries, err := os.ReadDir(s.file("checkpoint/offsets"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Fatal(err)
	}
	var files []string
	var newest int64
	for _, e := range entries {
		name := "checkpoint/offsets/" + e.Name()
		files = append(files, name)
		for _, m := range planTime.FindAllString(string(s.read(name)), -1) {
			newest = max(newest, s.time(m))
		}
	}
	by := planned.Add(-time.Hour).UnixMilli() - newest
	for _, name := range files {
		s.write(name, planTime.ReplaceAllFunc(s.read(name), func(m []byte) []byte {
			return fmt.Appendf(nil, `"batchTimestampMs":%d`, s.time(string(m))+by)
		}))
	}
	for i := range s.sources {
		again := map[string]int64{}
		for topic, at := range s.sources[i].Created {
			if newest > 0 && at > newest+time.Minute.Milliseconds() && s.shows(i, topic) {
				again[topic] = at + by
				s.topics[topic] = stood{s.topics[topic].partitions, time.UnixMilli(at + by)}
			}
		}
		s.sources[i].Created = again
	}
}

// time returns the number in a match of planTime.
func (s *restartStory) time(match string) int64 {
	s.Helper()
	_, digits, _ := strings.Cut(match, ":")
	ms, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		s.Fatal(err)
	}
	return ms
}

// shows reports whether the records of a topic can show that it was made again: some are left before the position of the newest plan.
func (s *restartStory) shows(source int, topic string) bool {
	s.Helper()
	for n, offset := range s.newest(source)[topic] {
		number, err := strconv.Atoi(n)
		position, ok := offset.(float64)
		if partitions := s.topics[topic].partitions; err == nil && ok && number < len(partitions) {
			at := partitions[number]
			if at.earliest < at.latest && at.earliest < int64(position) {
				return true
			}
		}
	}
	return false
}

// named returns the topics that each source names: in the newest plan, in the plan where that began, and in the spec. They come with
// their partitions and the offsets of those.
func (s *restartStory) named() map[int]map[string]map[string]any {
	s.Helper()
	all := map[int]map[string]map[string]any{}
	add := func(i int, topic string, offsets map[string]any) {
		if all[i] == nil {
			all[i] = map[string]map[string]any{}
		}
		if all[i][topic] == nil {
			all[i][topic] = map[string]any{}
		}
		for n, offset := range offsets {
			all[i][topic][n] = offset
		}
	}
	for _, plan := range s.plans() {
		for i, line := range plan {
			for topic, offsets := range positionsIn(line) {
				add(i, topic, offsets)
			}
		}
	}
	query, err := spec.Parse("spec.yaml", s.read("spec.yaml"))
	if err != nil {
		s.Fatal(err)
	}
	for i, source := range query.Sources {
		for _, topic := range source.Topics {
			add(i, topic, nil)
		}
		for _, a := range source.Assign {
			for _, n := range a.Partitions {
				add(i, a.Topic, map[string]any{strconv.FormatInt(n, 10): nil})
			}
		}
	}
	return all
}

// newest returns the positions of a source in the newest plan.
func (s *restartStory) newest(source int) map[string]map[string]any {
	s.Helper()
	plans := s.plans()
	if len(plans) == 0 || source >= len(plans[len(plans)-1]) {
		return nil
	}
	return positionsIn(plans[len(plans)-1][source])
}

// positionsIn returns the offsets of a line, by topic and partition; nil where it was edited and has none.
func positionsIn(line string) (topics map[string]map[string]any) {
	if json.Unmarshal([]byte(line), &topics) != nil {
		return nil
	}
	return topics
}

// plans returns the lines of the sources of the newest plan. Where that is not committed, those of the plan before come first.
func (s *restartStory) plans() (all [][]string) {
	s.Helper()
	for n := int64(0); ; n++ {
		name := fmt.Sprintf("checkpoint/offsets/%d", n)
		if _, err := os.Stat(s.file(name)); err != nil {
			break
		}
		lines := strings.Split(string(s.read(name)), "\n")
		all = append(all, lines[min(2, len(lines)):])
	}
	keep := 1
	if _, err := os.Stat(s.file(fmt.Sprintf("checkpoint/commits/%d", len(all)-1))); err != nil {
		keep = 2
	}
	return all[max(0, len(all)-keep):]
}

// complete adds a topic that a source names and that no positions list: it is there with all that was planned, unless it was deleted or
// never was. What the broker lacked goes into the positions of the source.
func (s *restartStory) complete(i int, topic string, offsets map[string]any) {
	at, listed := s.topics[topic]
	if own := strings.LastIndexByte(topic, '.'); !listed && (own < 0 || s.deleted[topic[own:]]) {
		s.lacked(i, topic, true)
		return
	}
	var lacked []int
	for n, offset := range offsets {
		number, err := strconv.Atoi(n)
		if err != nil {
			continue // it was edited
		}
		if listed && number >= len(at.partitions) {
			lacked = append(lacked, number)
		}
		if listed {
			continue
		}
		for len(at.partitions) <= number {
			at.partitions = append(at.partitions, ends{})
		}
		latest, _ := offset.(float64)
		at.partitions[number].latest = int64(latest)
	}
	if !listed {
		s.topics[topic] = stood{at.partitions, longAgo}
	}
	if len(lacked) > 0 {
		slices.Sort(lacked)
		s.lacked(i, topic, lacked)
	}
}

func (s *restartStory) lacked(i int, topic string, what any) {
	if i >= len(s.sources) {
		return // the query that starts has fewer sources
	}
	if s.sources[i].Gone == nil {
		s.sources[i].Gone = map[string]any{}
	}
	s.sources[i].Gone[topic] = what
}
