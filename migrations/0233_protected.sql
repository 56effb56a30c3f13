-- +goose Up
-- Protected people: recipients whom only named users of an account may see.
CREATE TABLE protected_people (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    numbers    bytea NOT NULL, -- sealed, bound to the id: national identity number and phone number
    set_by     uuid NOT NULL REFERENCES users,
    set_at     timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz
);
CREATE INDEX protected_people_account_idx ON protected_people (account_id) WHERE ended_at IS NULL;

-- Keyed hashes of their numbers, as of recipients. They are deleted when the protection ends.
CREATE TABLE protected_numbers (
    account_id  uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    number_hash bytea NOT NULL,
    person_id   uuid NOT NULL REFERENCES protected_people ON DELETE CASCADE,
    CONSTRAINT protected_numbers_pkey PRIMARY KEY (account_id, number_hash)
);
CREATE INDEX protected_numbers_person_idx ON protected_numbers (person_id);

CREATE TABLE protected_viewers (
    person_id uuid NOT NULL REFERENCES protected_people ON DELETE CASCADE,
    user_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    CONSTRAINT protected_viewers_pkey PRIMARY KEY (person_id, user_id)
);
CREATE INDEX protected_viewers_user_idx ON protected_viewers (user_id);

-- Views of items of a protected person.
CREATE TABLE protected_looks (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    person_id  uuid NOT NULL REFERENCES protected_people ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    item_id    uuid NOT NULL,
    at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX protected_looks_account_idx ON protected_looks (account_id, at DESC, id DESC);
CREATE INDEX protected_looks_at_idx ON protected_looks (at);
CREATE INDEX protected_looks_person_idx ON protected_looks (person_id);
CREATE INDEX protected_looks_user_idx ON protected_looks (user_id);

-- The protected recipient of an item; triggers maintain it.
ALTER TABLE sms ADD COLUMN protected_id uuid;
ALTER TABLE shipments ADD COLUMN protected_id uuid;
CREATE INDEX sms_protected_idx ON sms (protected_id) WHERE protected_id IS NOT NULL;
CREATE INDEX shipments_protected_idx ON shipments (protected_id) WHERE protected_id IS NOT NULL;
