package batch

import "fmt"

func (b *model) Command() string { return fmt.Sprintf("batch %d", b.id) }
