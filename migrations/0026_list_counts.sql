-- +goose Up
-- How many items of an account stand in each group: the sum of the rows, which change in the transactions that change the
-- items. Nobody waits for anybody: a change adds a row, and now and then the rows that nobody else holds are put together.
-- Drafts are their owner's, and are not counted here.
CREATE TABLE list_counts (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL, -- no foreign key: all changes of an account would lock its one row
    kind       text NOT NULL,
    list_group text NOT NULL,
    n          bigint NOT NULL
);
CREATE INDEX list_counts_account_idx ON list_counts (account_id) INCLUDE (kind, list_group, n);

INSERT INTO list_counts (account_id, kind, list_group, n)
SELECT account_id, kind, list_group, count(*) FROM items WHERE list_group <> 'draft' GROUP BY 1, 2, 3;

-- +goose StatementBegin
CREATE FUNCTION fold_list_counts(account uuid) RETURNS void LANGUAGE sql AS $$
    WITH free AS (
        SELECT id FROM list_counts WHERE account_id = account FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM list_counts c USING free WHERE c.id = free.id RETURNING c.kind, c.list_group, c.n
    )
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account, kind, list_group, sum(n) FROM gone GROUP BY 2, 3 HAVING sum(n) <> 0
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_list_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last bigint;
BEGIN
    WITH added AS (
        INSERT INTO list_counts (account_id, kind, list_group, n)
        SELECT v.account_id, v.kind, v.list_group, v.n
        FROM (VALUES (OLD.account_id, OLD.kind, OLD.list_group, -1), (NEW.account_id, NEW.kind, NEW.list_group, 1)) v (account_id, kind, list_group, n)
        WHERE v.list_group <> 'draft'
        RETURNING id
    ) SELECT max(id) INTO last FROM added;
    IF last % 64 < 2 THEN -- this row, or the one before it, is a 64th
        PERFORM fold_list_counts(NEW.account_id);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_list_change AFTER UPDATE OF state, status ON items FOR EACH ROW
    WHEN (OLD.list_group <> NEW.list_group) EXECUTE FUNCTION count_list_change();

-- Many rows come and go in one statement: they are counted together.
-- +goose StatementBegin
CREATE FUNCTION count_list_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account_id, kind, list_group, count(*) FROM fresh WHERE list_group <> 'draft' GROUP BY 1, 2, 3;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_list_new AFTER INSERT ON items REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_list_new();

-- +goose StatementBegin
CREATE FUNCTION count_list_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account_id, kind, list_group, -count(*) FROM gone WHERE list_group <> 'draft' GROUP BY 1, 2, 3;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_list_gone AFTER DELETE ON items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_list_gone();
