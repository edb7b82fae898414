package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tidemark/checkpoint/release"
	"tidemark/checks"
)

// flags are those that every command has.
type flags struct {
	failOn, spark, spec, sink    string
	endpointURL, region, profile string
	pathStyle, noSign            bool
	maxRequests                  int64
	timeout                      time.Duration
	noColor, ascii               bool

	severity checks.Severity // of failOn
	release  release.Version // of spark; zero: inferred
}

// The groups in which --help shows flags, in its order. "" is the command's own.
const (
	groupVerdict = "the verdict"
	groupS3      = "S3"
	groupLimits  = "limits"
	groupScreen  = "the screen"
)

var groups = []string{"", groupVerdict, groupS3, groupLimits, groupScreen}

// groupKey is the annotation of a flag that names its group.
const groupKey = "group"

func (f *flags) register(all *pflag.FlagSet) {
	all.SortFlags = false
	in := func(group string, register func(*pflag.FlagSet)) {
		set := pflag.NewFlagSet(group, pflag.ContinueOnError)
		register(set)
		set.VisitAll(func(x *pflag.Flag) {
			x.Annotations = map[string][]string{groupKey: {group}}
			all.AddFlag(x)
		})
	}
	in(groupVerdict, func(s *pflag.FlagSet) {
		s.SortFlags = false
		s.StringVar(&f.failOn, "fail-on", "high", "exit status 1 from this `SEVERITY` on")
		s.StringVar(&f.spark, "spark", "", "the `RELEASE` that will do the restart, such as 3.5\n(default: the newest that can have written it)")
		s.StringVar(&f.spec, "spec", "", "what the code declares: a `FILE` in the form of a spec\n(tidemark spec writes one), the LOCATION of another\ncheckpoint of it, or a file with its progress as JSON")
		s.StringVar(&f.sink, "sink", "", "what the query writes: the `LOCATION` of the table or\noutput folder (default: sink.location of the spec)")
	})
	in(groupS3, func(s *pflag.FlagSet) {
		s.SortFlags = false
		s.StringVar(&f.endpointURL, "endpoint-url", "", "a server other than Amazon's: its `URL`")
		s.StringVar(&f.region, "region", "", "the bucket's `REGION` (default: AWS_REGION)")
		s.StringVar(&f.profile, "profile", "", "a profile of the AWS settings: its `NAME`")
		s.BoolVar(&f.pathStyle, "path-style", false, "put the bucket into the path, not the host name")
		s.BoolVar(&f.noSign, "no-sign-request", false, "read a public bucket without credentials")
	})
	in(groupLimits, func(s *pflag.FlagSet) {
		s.SortFlags = false
		s.Int64Var(&f.maxRequests, "max-requests", 0, "stop after `N` requests to the storage (0: no limit)")
		s.DurationVar(&f.timeout, "timeout", 0, "stop after this `TIME`, such as 30s (not the explorer)")
	})
	in(groupScreen, func(s *pflag.FlagSet) {
		s.SortFlags = false
		s.BoolVar(&f.noColor, "no-color", false, "no colours (or set NO_COLOR)")
		s.BoolVar(&f.ascii, "ascii", false, "plain ASCII for symbols and lines")
	})
}

// validate reads the flags that have a form of their own.
func (f *flags) validate() error {
	var err error
	if f.severity, err = checks.ParseSeverity(f.failOn); err != nil {
		return usageError("--fail-on: %v%s", err, maybe("", f.failOn, checks.Severities))
	}
	if f.spark != "" {
		if f.release, err = release.Parse(f.spark); err != nil {
			return usageError("--spark: %v", err)
		}
	}
	if f.maxRequests < 0 {
		return usageError("--max-requests: %d is less than 0", f.maxRequests)
	}
	if f.timeout < 0 {
		return usageError("--timeout: %v is less than 0", f.timeout)
	}
	return nil
}

// limited is ctx with the time limit of the flags.
func (f *flags) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, f.timeout)
}

// asciiWanted is where symbols beyond ASCII would not be drawn: asked for, or a terminal or a locale
// that has none. Where no locale is set, UTF-8 is taken for granted.
func (a *app) asciiWanted() bool {
	if a.flags.ascii {
		return true
	}
	if !isTerminal(a.Out) {
		return false
	}
	if term := a.Getenv("TERM"); term == "linux" || term == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(a.Getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// colorWanted is where colours may be written to stdout. Any value of NO_COLOR turns them off.
func (a *app) colorWanted() bool {
	return isTerminal(a.Out) && !a.flags.noColor && a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
}
