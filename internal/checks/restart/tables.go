package restart

import (
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/sources"
)

// tablesOpened is the query as it is built, before it reads its checkpoint: readStream opens the table of each source,
// and writeStream that of the sink.
func tablesOpened(s *Judge) (checks.Restart, bool) {
	if s.Kept != nil {
		for i := range s.Kept.Sources {
			k := sources.Held(s.Kept, i)
			for _, stop := range k.Stops {
				if stop.Opening {
					return sound(refuses(-1, stop.Error, "source %s: %s", k.Key, stop.Because))
				}
			}
		}
	}
	if s.Sink != nil && s.Sink.Flaw != nil {
		return sound(refuses(-1, s.Sink.Flaw.Error, "the sink: %s", s.Sink.Flaw.Because))
	}
	return goOn()
}

// sound is a start that fails although the files of the checkpoint are intact.
func sound(out checks.Restart, ok bool) (checks.Restart, bool) {
	out.Sound = true
	return out, ok
}

// tableStops is a source whose table has something that its next batch fails over.
func tableStops(s *Judge, key string, _ source.Offset) (checks.Restart, bool) {
	if s.Kept == nil {
		return goOn()
	}
	for i := range s.Kept.Sources {
		k := sources.Held(s.Kept, i)
		if k.Key != key || k.Other != "" {
			continue
		}
		for _, stop := range k.Stops {
			if stop.Later || stop.Opening || stop.OfFile && !s.opensFiles() || s.escapes(stop) {
				continue
			}
			because := stop.Because
			if stop.Default != "" {
				because += "; the spec does not set the option, so its default is assumed: " + stop.Default
			}
			words := stop.Error
			if stop.OfFile {
				words = s.Since(4, 0, "FAILED_READ_FILE.FILE_NOT_EXIST", stop.Error)
			}
			return sound(refuses(s.FirstBatch(), words, "source %s: %s", key, because))
		}
	}
	return goOn()
}

// lineVersion is a line of a version that its source does not read.
func lineVersion(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	refuse := o.Likeliest().Unread
	if o.Problem == nil || refuse == nil {
		return goOn()
	}
	if words, because := refuse(o.Raw); words != "" {
		return refuses(s.FirstBatch(), words, "%s: source %s %s", o.Where, key, because)
	}
	return goOn()
}

// opensFiles reports whether the tasks of the next batch open the files of its sources: a table that has the batch skips it before, and
// with a setting of Spark a missing file is passed over.
func (s *Judge) opensFiles() bool {
	if s.Spec != nil && strings.EqualFold(s.Spec.Conf["spark.sql.files.ignoreMissingFiles"], "true") {
		return false
	}
	return !s.Sink.Has(s.FirstBatch())
}

// escapes reports whether a setting of Delta turns off the comparison of schemas that a stop comes from.
func (s *Judge) escapes(stop availability.Stop) bool {
	const off = "spark.databricks.delta.streaming.unsafeReadOnIncompatible"
	if s.Spec == nil || !strings.Contains(stop.Error, "SCHEMA_CHANGE") {
		return false
	}
	for name, value := range s.Spec.Conf {
		if strings.HasPrefix(name, off) && strings.EqualFold(value, "true") {
			return true
		}
	}
	return false
}

// sinkColumns is a batch whose columns the table of the sink does not take: Delta compares them before it looks whether it has the batch
// (DeltaSink.addBatch, ImplicitMetadataOperation.updateMetadata).
func sinkColumns(s *Judge) (checks.Restart, bool) {
	if s.Sink == nil || s.Sink.Refusal == nil {
		return goOn()
	}
	why := s.Sink.Refusal
	return sound(refuses(s.FirstBatch(), why.Error, "the sink: %s", why.Because))
}
