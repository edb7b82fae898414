// Package plan is the screen of the way to a new checkpoint.
package plan
