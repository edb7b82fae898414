package source

import (
	"strings"

	"tidemark/checkpoint/decode"
)

// SequentialUnion is a source that reads several named ones one after the other (Spark 4.2 on). Its
// line says which of them is being read; the others have lines of their own:
//
//	{"activeSourceName":"live","allSourceNames":["history","live"],"completedSourceNames":["history"]}
//
// Written by SequentialUnionOffset.
var SequentialUnion = &Kind{
	Name: "sequential-union",
	Claims: func(line decode.JSON) bool {
		return has(line, "activeSourceName", "allSourceNames", "completedSourceNames")
	},
	Parts: func(line decode.JSON) ([]Part, error) {
		r := reader{line: line}
		active, all := r.field("activeSourceName"), r.field("allSourceNames")
		for i, name := range all.Items {
			if active.Kind == decode.String && name.Kind == decode.String && name.Text == active.Text {
				return []Part{{Position: Position{Text: active.Text, Order: Number, Num: int64(i)}, At: active.At}}, nil
			}
		}
		r.reject(active, "activeSourceName: %s is not one of the sources", shown(active))
		return nil, r.err()
	},
	Inclusive: true,
	Identity: func(line decode.JSON) string {
		all, _ := line.Get("allSourceNames")
		names := make([]string, len(all.Items))
		for i, name := range all.Items {
			names[i] = name.Text
		}
		return strings.Join(names, ", ")
	},
}
