package logs

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

var LogFormatOld = &checks.Check{
	Code:     "log-format-old",
	Severity: checks.Medium,
	Question: checks.Intact,
	Title:    "a file has the layout of Spark 2.1.0",
	Meaning: `The Kafka source of Spark 2.1.0 wrote its initial offsets as one length byte and JSON, without a version line.
One byte cannot hold a length above 255. So Spark 2.1.0 reads only the beginning of a longer offset and fails to parse it. The
JSON itself is intact; later releases skip the first byte and read it. The file is needed only until a batch is committed:
after that the offset log has the offsets.`,
	NextStep: `Restart with Spark 2.1.1 or later.`,
	Avoid:    `Do not treat the file as damaged or rewrite it: Spark 2.1.1 and later can read it.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		for i := range p.Survey.Folders {
			first := p.Survey.Folders[i].First
			if first == nil || !first.Old || len(first.Offset.Kinds) == 0 {
				continue
			}
			f := checks.Finding{Severity: checks.Medium, Batch: -1, Where: decode.Where{File: first.File},
				Evidence: fmt.Sprintf("the layout of Spark 2.1.0: the first byte is %d, no version line follows, and the JSON is intact (%s, partitions: %d)",
					first.Length, phrase.Bytes(int64(len(first.Text))), len(first.Offset.Parts))}
			if len(first.Problems) > 0 {
				f.Evidence = fmt.Sprintf("the layout of Spark 2.1.0: the first byte is %d, no version line follows; %v", first.Length, first.Problems[0].Err)
			}
			if len(first.Text) <= 255 {
				f.Severity = checks.Low
			}
			p.Report(f)
		}
		return nil
	},
}
