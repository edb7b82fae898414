// Package drift is the screen of what the query declares now, compared with what is recorded.
package drift
