// Package outputs is the screen of what the query wrote, batch by batch.
package outputs
