// Package start is the screen on which a checkpoint is chosen: at the start, or below a folder that is none.
package start
