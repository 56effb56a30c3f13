package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/seeds"
	"utsending/internal/views/gallery"
)

// fill puts n items into the account oppvekst, before anything else runs.
func fill(ctx context.Context, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 {
		return errors.New("say how many: devstack seed 1000000")
	}
	s, err := newStack()
	if err != nil {
		return err
	}
	keys, stop, err := s.startDatabase(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err := s.seed(ctx, keys); err != nil {
		return err
	}
	return s.fillAccount(ctx, keys, n)
}

func (s *stack) fillAccount(ctx context.Context, keyFile string, n int) error {
	db, err := openStore(s.owner, keyFile) // its indexes are dropped while it is filled
	if err != nil {
		return err
	}
	defer db.Close()
	account, err := firstAccount(ctx, db)
	if err != nil {
		return err
	}
	var by []dispatch.UserID
	for _, p := range everybody[:2] { // both caseworkers of the account
		id, err := db.SaveLogin(ctx, store.Login{Issuer: s.loginAddress(), Subject: p.subject, Name: p.name})
		if err != nil {
			return err
		}
		by = append(by, id)
	}
	began := time.Now()
	err = items.In(db).Filler.WithoutWords(ctx, func() error { return items.In(db).Filler.Fill(ctx, account.ID, seeds.Items(n, by, time.Now())) })
	if err != nil {
		return err
	}
	fmt.Printf("%d items in %s, %.0f a second\n", n, account.Name, float64(n)/time.Since(began).Seconds())
	return nil
}

// firstAccount is the first of the seeded accounts as it is stored.
func firstAccount(ctx context.Context, db *store.Store) (dispatch.Account, error) {
	stored, err := registry.In(db).Accounts.List(ctx)
	for _, a := range stored {
		if a.Slug == gallery.Accounts[0].Slug {
			return a, nil
		}
	}
	return dispatch.Account{}, errors.Join(err, errors.New("the account is gone"))
}
