package checkpoint

import (
	"context"

	"tidemark/storage"
)

// Without opens the checkpoint as it would be if some files and folders were moved out of it. Names are those within the
// checkpoint. It lists the five folders; see Open.
func (c *Checkpoint) Without(ctx context.Context, names []string) (*Checkpoint, error) {
	return Open(ctx, storage.Without(c.store, names))
}
