// Package checks has the words of a verdict: what a check is and finds, what Spark will do at the next start, what it
// comes to and what to do. The rules that find it lie in the packages below, by what they look at, and
// internal/checks/examine runs them. A verdict is put together from events, in the order in which they become known.
package checks
