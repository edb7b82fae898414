// Package findings is the screen of what was found, what did not run, and what is gone.
package findings
