package availability

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
)

// hudi is a Hudi table, kept by the times of its commits.
var hudi = &Kind{
	Kind:    source.Hudi,
	example: `"20261128093011123", the time of a commit`,
	short:   instant,
}

// instant returns the time of a commit, as Hudi writes it.
func instant(v decode.JSON) ([]source.Part, bool) {
	if v.Kind != decode.String || strings.Trim(v.Text, "0123456789") != "" {
		return nil, false
	}
	o := source.Decode(fmt.Appendf(nil, `{"commitTime":%q}`, v.Text), decode.Where{})
	return o.Parts, o.Problem == nil && len(o.Parts) == 1
}
