package restart

import (
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/sources"
	"tidemark/internal/output"
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

// deltaVersion is a line of a Delta source in a version that no release reads (DeltaSourceOffset.Deserializer).
func deltaVersion(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	if o.Problem == nil || o.Likeliest() != source.Delta {
		return goOn()
	}
	line, err := decode.ParseFields([]byte(o.Raw))
	if err != nil {
		return goOn()
	}
	version, _ := line.Get("sourceVersion")
	n, ok := version.Int()
	switch {
	case !ok:
		return goOn()
	case n > deltaNewest:
		return refuses(s.FirstBatch(), "DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION", "%s: source %s has sourceVersion %d, and Delta reads up to %d", o.Where, key, n, deltaNewest)
	case n < 1 || n == 2:
		return refuses(s.FirstBatch(), "DELTA_INVALID_SOURCE_VERSION", "%s: source %s has sourceVersion %d, which Delta does not read", o.Where, key, n)
	}
	return goOn()
}

// deltaNewest is the newest version of a line that Delta reads.
const deltaNewest = 3

// opensFiles reports whether the tasks of the next batch open the files of its sources: a table that has the batch skips it before, and
// with a setting of Spark a missing file is passed over.
func (s *Judge) opensFiles() bool {
	if s.Spec != nil && strings.EqualFold(s.Spec.Conf["spark.sql.files.ignoreMissingFiles"], "true") {
		return false
	}
	return s.Sink == nil || s.Sink.Holds(s.FirstBatch()) != output.Yes
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
	if s.Sink == nil || s.Sink.Kind != "delta" || s.Spec == nil || s.Spec.Sink == nil {
		return goOn()
	}
	why := s.Sink.Refusal
	if why == nil {
		return goOn()
	}
	return sound(refuses(s.FirstBatch(), why.Error, "the sink: %s", why.Because))
}
