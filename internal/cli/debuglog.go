package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"tidemark/internal/mask"
	"tidemark/storage"
)

// debugLog is the file in which each request to a storage stands, a line each, for those who have to find out
// why something is slow or refused:
//
//	time=2026-11-29T14:02:00.123Z level=INFO msg=list key=s3://b/cp/offsets entries=120 took=31ms
//	time=2026-11-29T14:02:00.160Z level=INFO msg=read key=s3://b/cp/offsets/120 bytes=0-511 received=412 took=12ms
//	time=2026-11-29T14:02:00.201Z level=WARN msg=read key=s3://b/cp/commits/120 status=403 error="…"
//
// What gives access is masked: see hide.
type debugLog struct {
	*slog.Logger
	file    *os.File
	typed   string
	secrets *secrets // values that must not appear, wherever they would

	mu  sync.Mutex
	err error // the first of writing
}

// openDebugLog opens the file of --debug-log, which may be there already; args are the words of the command,
// any of which may be a location that nothing may be written into.
func (a *app) openDebugLog(command string, args []string) error {
	if a.flags.debugLog == "" {
		return nil
	}
	d := &debugLog{typed: a.flags.debugLog, secrets: &a.secrets}
	var err error
	if d.file, err = appendTo("debug-log", d.typed, append(a.otherLocations(), args...)); err != nil {
		return err
	}
	d.start()
	a.debug = d
	a.meter.Trace = d.request
	d.Info("begin", "program", "tidemark "+a.Version, "command", command, "arguments", strings.Join(args, " "))
	return nil
}

// start makes the logger.
func (d *debugLog) start() {
	d.Logger = slog.New(slog.NewTextHandler(d, &slog.HandlerOptions{ReplaceAttr: func(_ []string, at slog.Attr) slog.Attr {
		if at.Key == slog.TimeKey {
			at.Value = slog.StringValue(at.Value.Time().UTC().Format("2006-01-02T15:04:05.000Z"))
		} else if s, ok := at.Value.Any().(string); ok {
			at.Value = slog.StringValue(d.hide(s))
		}
		return at
	}}))
}

// appendTo opens a file on this machine to write at its end. It is a new one, or a regular file, and in no
// checkpoint and none of the locations; its errors name the flag.
func appendTo(flag, name string, locations []string) (*os.File, error) {
	t, info, err := locate(flag, name, locations)
	if err != nil {
		return nil, err
	}
	if info != nil && !info.Mode().IsRegular() {
		return nil, usageError("--%s: %s is not a regular file", flag, name)
	}
	how := os.O_WRONLY | os.O_APPEND
	if info == nil {
		how |= os.O_CREATE | os.O_EXCL // and follows no link that has come to be there
	}
	f, err := os.OpenFile(t.path, how, 0o600)
	if err != nil {
		return nil, usageError("--%s: %v", flag, err)
	}
	now, err := f.Stat()
	switch {
	case err != nil || info != nil && !os.SameFile(info, now):
		err = usageError("--%s: %s was replaced by another file in the meantime", flag, name)
	case storage.Links(now) > 1:
		err = usageError("--%s: %s is a file with %d names, and one may be in a checkpoint: use a file with one name", flag, name, storage.Links(now))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// request writes a line about a request. It is called from many goroutines.
func (d *debugLog) request(r storage.Request) {
	at := []any{}
	add := func(key string, value any) { at = append(at, key, value) }
	if r.Name != "" {
		add("key", r.Name)
	}
	switch {
	case r.Op == "retry":
		add("because", r.Notice)
	case r.Op == "list":
		add("entries", r.Entries)
	case r.Op == "read" && r.Length < 0:
		add("bytes", fmt.Sprintf("%d-", r.From))
	case r.Op == "read":
		add("bytes", fmt.Sprintf("%d-%d", r.From, max(r.From+r.Length-1, r.From)))
	}
	if r.Op == "read" {
		add("received", r.Bytes)
	}
	if r.Status != 0 {
		add("status", r.Status)
	}
	if r.Op != "retry" {
		add("took", r.Took.Round(10*time.Microsecond))
	}
	switch {
	case r.Err == nil:
		d.Info(r.Op, at...)
	case errors.Is(r.Err, fs.ErrNotExist):
		d.Info(r.Op, append(at, "error", "no such file")...)
	default:
		d.Warn(r.Op, append(at, "error", r.Err.Error())...)
	}
}

// hide returns text without what gives access: by its form, and the secrets of the environment by their value.
func (d *debugLog) hide(text string) string {
	return mask.Text(d.secrets.everywhere(text))
}

// Write appends a line; the first error is kept, and after it nothing more is written.
func (d *debugLog) Write(line []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return len(line), nil
	}
	_, d.err = d.file.Write(line)
	return len(line), nil
}

// closeDebugLog ends the log with what the whole run did, and reports once where it could not be written.
func (a *app) closeDebugLog(err error) {
	d := a.debug
	if d == nil {
		return
	}
	r := a.meter.Snapshot()
	at := []any{"lists", r.Lists, "reads", r.Reads, "others", r.Others, "retries", r.Retries, "received", r.Bytes, "exit", ExitStatus(err)}
	if r.Identity != "" {
		at = append(at, "identity", r.Identity)
	}
	if err != nil && err.Error() != "" {
		at = append(at, "error", err.Error())
	}
	d.Info("end", at...)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err = errors.Join(d.err, d.file.Close()); d.err != nil {
		a.problem("--debug-log: %s does not contain every request: %v", d.typed, d.err)
	}
}
