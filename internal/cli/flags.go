package cli

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/config"
	"tidemark/internal/phrase"
)

// flags are those that every command has: the settings of package config, as they came to be.
type flags struct {
	failOn, spark, spec, sink    string
	positions, sources           string // sources has one INDEX=LOCATION a line
	kafka, kafkaConfig           string
	endpointURL, region, profile string
	pathStyle, noSign            bool
	maxRequests                  int64
	timeout                      time.Duration
	noColor, ascii, noMemory     bool
	plain, mouse, still          bool
	look, clock, theme           string
	config, debugLog             string

	severity checks.Severity // of failOn
	release  spark.Version   // of spark; zero: inferred
}

// places has one line per setting: where its value goes, by the type that its kind asks for.
func (f *flags) places() map[string]any {
	return map[string]any{
		"fail-on":         &f.failOn,
		"spark":           &f.spark,
		"spec":            &f.spec,
		"sink":            &f.sink,
		"kafka":           &f.kafka,
		"kafka-config":    &f.kafkaConfig,
		"positions":       &f.positions,
		"source":          &f.sources,
		"endpoint-url":    &f.endpointURL,
		"region":          &f.region,
		"profile":         &f.profile,
		"path-style":      &f.pathStyle,
		"no-sign-request": &f.noSign,
		"max-requests":    &f.maxRequests,
		"timeout":         &f.timeout,
		"no-color":        &f.noColor,
		"ascii":           &f.ascii,
		"plain":           &f.plain,
		"mouse":           &f.mouse,
		"still":           &f.still,
		"look":            &f.look,
		"theme":           &f.theme,
		"time":            &f.clock,
		"config":          &f.config,
		"debug-log":       &f.debugLog,
		"no-memory":       &f.noMemory,
	}
}

// groupKey is the annotation of a flag that names its group.
const groupKey = "group"

// register makes the flags of all settings.
func (f *flags) register(all *pflag.FlagSet) {
	all.SortFlags = false
	places := f.places()
	for i := range config.Settings {
		s := &config.Settings[i]
		for _, name := range s.Flags() {
			switch place := places[s.Name].(type) {
			case *bool:
				all.BoolVar(place, name, false, s.FlagHelp(name))
			case *int64:
				all.Int64Var(place, name, 0, s.FlagHelp(name))
			case *time.Duration:
				all.DurationVar(place, name, 0, s.FlagHelp(name))
			case *string:
				if s.Many {
					all.AddFlag(&pflag.Flag{Name: name, Usage: s.FlagHelp(name), Value: (*lines)(place)})
				} else if s.Kind == config.Choice {
					all.AddFlag(&pflag.Flag{Name: name, Usage: s.FlagHelp(name), Value: &choice{place, s, name}, NoOptDefVal: "true"})
				} else {
					all.StringVar(place, name, s.Default, s.FlagHelp(name))
				}
			}
			all.Lookup(name).Annotations = map[string][]string{groupKey: {s.Group}}
		}
	}
}

// lines is a flag that may be given several times: each value is a line.
type lines string

func (l *lines) Type() string { return "string" }

func (l *lines) String() string { return string(*l) }

func (l *lines) Set(text string) error {
	if *l != "" {
		*l += "\n"
	}
	*l += lines(text)
	return nil
}

// choice is a flag that stands for one value of a setting: --light.
type choice struct {
	place *string
	of    *config.Setting
	name  string
}

func (c *choice) Type() string { return "bool" }

func (c *choice) String() string { return "" }

func (c *choice) Set(text string) error {
	switch yes, err := strconv.ParseBool(text); {
	case err != nil || !yes:
		return fmt.Errorf("it has no value: use one of --%s", strings.Join(c.of.Choices, ", --"))
	case *c.place != "" && *c.place != c.name:
		return fmt.Errorf("--%s was given too: use one of them", *c.place)
	}
	*c.place = c.name
	return nil
}

// take puts the value of a setting, which has been checked, into its place.
func (f *flags) take(v config.Value) {
	switch place := f.places()[v.Name].(type) {
	case *bool:
		*place = v.Text == "true"
	case *int64:
		*place, _ = strconv.ParseInt(v.Text, 10, 64)
	case *time.Duration:
		*place, _ = time.ParseDuration(v.Text)
	case *string:
		*place = v.Text
	}
}

// validate reads the settings that have a form of their own. An error names where the value comes from.
func (f *flags) validate(origin func(name string) string) error {
	var err error
	if f.severity, err = checks.ParseSeverity(f.failOn); err != nil {
		return usageError("%s: %v%s", origin("fail-on"), err, phrase.DidYouMean(f.failOn, checks.Severities))
	}
	if f.spark != "" {
		if f.release, err = spark.Parse(f.spark); err != nil {
			return usageError("%s: %v", origin("spark"), err)
		}
	}
	if err := config.Find("theme").Check(f.theme); f.theme != "" && err != nil {
		return usageError("%s: %v", origin("theme"), err)
	}
	if u, err := url.Parse(f.endpointURL); f.endpointURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return usageError("%s: not the URL of a server, which starts with http:// or https://", origin("endpoint-url"))
	}
	if f.maxRequests < 0 {
		return usageError("--max-requests: %d is less than 0", f.maxRequests)
	}
	if f.timeout < 0 {
		return usageError("--timeout: %v is less than 0", f.timeout)
	}
	return nil
}

// limited returns ctx with the time limit of the flags.
func (f *flags) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, f.timeout)
}

// asciiWanted reports whether symbols beyond ASCII are left out: asked for, or a terminal or a locale
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

// colorWanted reports whether colors may be written to stdout. Any value of NO_COLOR turns them off, unless the
// user has said otherwise to this program.
func (a *app) colorWanted() bool {
	return isTerminal(a.Out) && !a.flags.noColor && a.Getenv("TERM") != "dumb"
}
