package log

import (
	"bytes"
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
)

// Salvage is what still reads of a damaged file of a checkpoint: the query id, fields of the metadata line of a plan and the lines of its
// sources, a commit, entries of a source's log, the record of an operator. nil for nothing, and for a file that is none of these.
func Salvage(file string, data []byte) []decode.Salvaged {
	dir, rest, _ := strings.Cut(file, "/")
	whole := decode.Where{File: file, Line: 1}
	var all []decode.Salvaged
	switch {
	case file == "metadata":
		for _, s := range decode.SalvagePairs(data, whole) {
			if s.Name == "id" {
				return []decode.Salvaged{s}
			}
		}
		if s, ok := decode.SalvageUUID(data, whole); ok {
			all = append(all, s)
		}
	case dir == "offsets":
		all = salvagePlan(file, data)
	case dir == "commits", dir == "state" && strings.Contains(rest, "/_metadata/"):
		for _, l := range salvageLines(file, data) {
			all = append(all, decode.SalvagePairs(l.text, l.where)...)
		}
	case dir == "sources":
		all = salvageEntries(file, data)
	}
	return all[:min(len(all), decode.SalvageCount)]
}

// salvageLines are the lines of a file after its version line, if that is there.
func salvageLines(file string, data []byte) []line {
	_, lines, _ := split(file, data, "", newestPlan, true)
	return lines
}

func salvagePlan(file string, data []byte) []decode.Salvaged {
	var all []decode.Salvaged
	for i, l := range salvageLines(file, data) {
		if len(all) >= decode.SalvageCount {
			break
		}
		if i == 0 && (bytes.Contains(l.text, []byte("batchW")) || bytes.Contains(l.text, []byte("batchT")) || bytes.Contains(l.text, []byte(`"conf"`))) {
			all = append(all, decode.SalvagePairs(l.text, l.where)...)
			continue
		}
		if s, ok := decode.SalvageLine(fmt.Sprintf("source %d", max(i-1, 0)), l.text, l.where); ok {
			all = append(all, s)
		}
	}
	return all
}

// salvageEntries are the fields of the entries that do not parse, and how many do: a log can name a million files. What is no log of
// entries has its line as it stands.
func salvageEntries(file string, data []byte) []decode.Salvaged {
	var all []decode.Salvaged
	good := 0
	first := decode.Where{}
	for _, l := range salvageLines(file, bytes.TrimPrefix(data, []byte{0})) {
		if _, err := parseSourceEntry(l.text, l.where); err == nil {
			if good++; good == 1 {
				first = l.where
			}
			continue
		}
		if len(all) >= decode.SalvageCount {
			continue
		}
		if bytes.Contains(l.text, []byte(`"path"`)) {
			all = append(all, decode.SalvagePairs(l.text, l.where)...)
		} else if s, ok := decode.SalvageLine("line", l.text, l.where); ok {
			all = append(all, s)
		}
	}
	if good > 0 {
		all = append([]decode.Salvaged{{Name: "entries that parse", Value: fmt.Sprint(good), Where: first}}, all...)
	}
	return all
}
