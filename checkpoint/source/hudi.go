package source

import (
	"strconv"

	"tidemark/checkpoint/decode"
)

// Hudi is a Hudi table as a source. A line holds the time of the last commit that was read:
//
//	{"commitTime":"20261128093011123"}         Hudi 0.x: when the commit began
//	{"offsetCommitTime":"20261128093015456"}   Hudi 1.x: when it was completed (table version 8), else when it began
//
// Times are year to millisecond in the table's time zone, or year to second in old tables; zeros
// stand for before the first commit. Hudi compares them as texts, so a shorter one comes first. A
// difference means nothing. The option hoodie.datasource.streaming.startOffset takes such a time and
// reads what comes after it.
//
// Written by HoodieSourceOffset; sources/<i>/0 holds the first one.
var Hudi = &Kind{
	Name: "hudi",
	Claims: func(line decode.JSON) bool {
		return only(line, "commitTime") || only(line, "offsetCommitTime")
	},
	Parts: func(line decode.JSON) ([]Part, error) {
		r := reader{line: line}
		v := line.Fields[len(line.Fields)-1].Value
		n, ok := instant(v.Text)
		if v.Kind != decode.String || !ok {
			r.reject(v, "%s: %s is not a commit time", line.Fields[0].Name, shown(v))
			return nil, r.err()
		}
		return []Part{{Position: Position{Text: v.Text, Order: Number, Num: n}, At: v.At}}, nil
	},
	Inclusive: true,
	StartingOffsets: func(line decode.JSON) (string, string) {
		return "hoodie.datasource.streaming.startOffset", line.Fields[len(line.Fields)-1].Value.Text
	},

	Table: HudiTable,
	First: ReadsUncommitted,
}

// instantDigits is how many digits a commit time has: year to millisecond.
const instantDigits = 17

// instant is a commit time as a number that orders as the text does.
func instant(s string) (int64, bool) {
	if len(s) == 0 || len(s) > instantDigits {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return 0, false
	}
	for range instantDigits - len(s) {
		n *= 10
	}
	return int64(n), true
}
