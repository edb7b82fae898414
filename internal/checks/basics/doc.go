// Package basics has what rules of several packages need of one checkpoint: the next start before anything of it is
// decided, what the two logs list, the sources of a plan and how they moved from one batch to the next, the names of
// settings. It judges nothing.
package basics
