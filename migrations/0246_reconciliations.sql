-- +goose Up
-- Comparisons of what an account holds for sent with what the service says, ordered by an operator and made in the background.
CREATE TABLE reconciliations (
    id          uuid PRIMARY KEY,
    account_id  uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    ordered_by  uuid NOT NULL REFERENCES users,
    ordered_at  timestamptz NOT NULL DEFAULT now(),
    attempt     integer NOT NULL DEFAULT 0, -- fencing token
    lease_until timestamptz,
    gathered_at timestamptz, -- when it was found out what to ask about
    cut         boolean NOT NULL DEFAULT false, -- there is more than one comparison asks about
    agreed      integer NOT NULL DEFAULT 0, -- of a comparison that is done: its rows are gone
    behind      integer NOT NULL DEFAULT 0,
    done_at     timestamptz
);
-- An account has one at a time.
CREATE UNIQUE INDEX reconciliations_open_key ON reconciliations (account_id) WHERE done_at IS NULL;
CREATE INDEX reconciliations_account_idx ON reconciliations (account_id, ordered_at DESC);

-- What is asked about, and what came of it. Items without a foreign key: one that is purged meanwhile is left out.
CREATE TABLE reconciled_items (
    reconciliation_id uuid NOT NULL REFERENCES reconciliations ON DELETE CASCADE,
    item_id           uuid NOT NULL,
    question          text NOT NULL
        CONSTRAINT reconciled_items_question_check CHECK (question IN ('status', 'reserved', 'reference')),
    integration_id    uuid NOT NULL,
    service_id        text NOT NULL, -- kontoId at the service when the item was sent
    finding           text NOT NULL DEFAULT '', -- dispatch.Finding; '': not asked yet
    strangers         text[] NOT NULL DEFAULT '{}', -- ids at the service that no item has
    reason_key        text NOT NULL DEFAULT '', -- why the service could not tell
    reason_error_id   text NOT NULL DEFAULT '',
    CONSTRAINT reconciled_items_pkey PRIMARY KEY (reconciliation_id, item_id, question)
);
CREATE INDEX reconciled_items_waiting_idx ON reconciled_items (reconciliation_id, integration_id, service_id, question) WHERE finding = '';
