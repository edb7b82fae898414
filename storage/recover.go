package storage

import "fmt"

// BrokenError is a panic while something was read: a fault of this program, met in one file. A panic in
// a goroutine of ours would end the program and leave a terminal that shows nothing of what is typed.
type BrokenError struct {
	Panic any // what the panic was called with
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("tidemark failed while reading; report it as a bug: %v", e.Panic)
}

// Recover calls f and makes a *BrokenError of its panic.
func Recover(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &BrokenError{p}
		}
	}()
	return f()
}
