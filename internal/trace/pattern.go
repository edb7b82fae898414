package trace

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first used: there are many of them, and most runs of
// the program are shown no error to explain.
type pattern struct{ compiled func() *regexp.Regexp }

func patternOf(expr string) *pattern {
	return &pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// These are the methods of regexp.Regexp.

func (p *pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

func (p *pattern) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }

func (p *pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

func (p *pattern) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

func (p *pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

func (p *pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

func (p *pattern) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}
