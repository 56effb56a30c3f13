package keeper

import (
	"context"
	"errors"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

// purgeTonight purges at night, unless another process does or has.
func (k *Keeper) purgeTonight(ctx context.Context, now time.Time) {
	night, ok := dispatch.PurgesNow(now)
	if !ok || night.Equal(k.night) {
		return
	}
	ours, err := registry.In(k.o.Store).Retention.BeginPurge(ctx, night, now)
	if !k.ok(ctx, "begin to purge", err) || !ours {
		return // asked again in a minute, in case that process died
	}
	counts, err := Purge(ctx, k.o.Store, k.o.Owner, night, now)
	if k.ok(ctx, "purge", err) {
		k.night = night
		k.collect(ctx)
		k.o.Log.Info("purged", "drafts", counts[dispatch.KeepDrafts], "content", counts[dispatch.KeepContent], "identity", counts[dispatch.KeepIdentity],
			"rows", counts[dispatch.KeepRows], "log", counts[dispatch.KeepLog])
	}
}

// collect removes objects that no file names.
func (k *Keeper) collect(ctx context.Context) {
	n, err := k.o.Store.CollectObjects(ctx, store.YoungObject, k.o.KeepObjects)
	switch {
	case errors.Is(err, store.ErrOtherOwner):
		k.o.Log.Warn("objects of files are not removed: the bucket belongs to another database; after a restore run 'web files adopt'")
	case err != nil && ctx.Err() == nil:
		k.o.Log.Error("objects of files could not be removed, and are tomorrow", "removed", n, "error", store.Describe(err))
	case n > 0:
		k.o.Log.Info("objects of files are removed", "n", n)
	}
}

// Purge deletes what is due, as the owner of the database, and records the counts.
func Purge(ctx context.Context, s, owner *store.Store, night, now time.Time) (registry.PurgeCounts, error) {
	kept, err := registry.In(s).Retention.Current(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := registry.In(owner).Retention.Purge(ctx, kept, now)
	if err != nil {
		return counts, err
	}
	return counts, registry.In(s).Retention.EndPurge(ctx, night, now, counts)
}
