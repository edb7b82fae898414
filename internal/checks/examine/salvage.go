package examine

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/checks/logs"
)

// What is read once more of damaged files for what still reads of them: how many files, and how many bytes a file may have.
const (
	salvageLimit = 20
	salvageBytes = 1 << 20
)

// salvage adds to a finding about a damaged file what still reads of it: that is what people look for in backups.
func (x *examination) salvage(f *checks.Finding) {
	if f.Severity < checks.Medium && f.Code == logs.LogMalformed.Code || !f.Salvage || f.Where.File == "" || x.salvaged == salvageLimit || x.err != nil {
		return
	}
	if strings.HasPrefix(f.Where.File, "state/") && !strings.Contains(f.Where.File, "/_metadata/") {
		return
	}
	x.salvaged++
	data, err := x.cp.Read(x.ctx, f.Where.File, salvageBytes)
	if err != nil {
		return // what could not be read is reported by the checks
	}
	f.Salvaged = log.Salvage(f.Where.File, data)
	if f.Code == logs.MetadataMalformed.Code && len(f.Salvaged) == 1 {
		what := "the ID"
		if f.Salvaged[0].Cut {
			what = "part of the ID"
		}
		f.Evidence += fmt.Sprintf("; %s can still be read: %.40q", what, f.Salvaged[0].Value)
	}
}
