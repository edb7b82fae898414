package cli

import "context"

// explore opens the explorer on a location, or where there is no terminal writes the verdict.
func (a *app) explore(ctx context.Context, location string, f form) error {
	return a.check(ctx, location, f)
}

func (a *app) startScreen(ctx context.Context) error { return nil }
