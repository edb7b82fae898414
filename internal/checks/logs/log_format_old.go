package logs

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
)

var LogFormatOld = &checks.Check{
	Code:     "log-format-old",
	Severity: checks.Medium,
	Question: checks.Intact,
	Title:    "a file in the layout of Spark 2.1.0",
	Meaning: `The Kafka source of Spark 2.1.0 wrote where it began as one byte of length and the JSON, without a version line. One
byte cannot hold a length above 255, so 2.1.0 reads only the beginning of a longer offset back, and fails to parse it. The JSON
itself is whole. Later releases skip the first byte and read it. It matters only while no batch is committed: after that the plans
hold the positions.`,
	NextStep: `Restart with Spark 2.1.1 or later.`,
	Avoid:    `Do not treat the file as damaged, and do not rewrite it.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		for i := range p.Survey.Folders {
			first := p.Survey.Folders[i].First
			if first == nil || !first.Old || len(first.Offset.Kinds) == 0 {
				continue
			}
			f := checks.Finding{Severity: checks.Medium, Batch: -1, Where: decode.Where{File: first.File},
				Evidence: fmt.Sprintf("the layout of Spark 2.1.0: the first byte is %d, no version line follows, and the JSON is whole: %d bytes, parts: %d",
					first.Length, len(first.Text), len(first.Offset.Parts))}
			if len(first.Problems) > 0 {
				f.Evidence = fmt.Sprintf("the layout of Spark 2.1.0: the first byte is %d, no version line follows; and %v", first.Length, first.Problems[0].Err)
			}
			if len(first.Text) <= 255 {
				f.Severity = checks.Low
			}
			p.Report(f)
		}
		return nil
	},
}
