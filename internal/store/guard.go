package store

// Living selects processes with a recent heartbeat.
const Living = `seen_at > now() - interval '15 seconds'`

// Identity reads the identity of the database: the cluster's system identifier and timeline, and the oids of the
// database and the guard table. Restoring a dump, point-in-time recovery and a failover each change one of them;
// a failover changes the timeline only.
const Identity = `
	SELECT c.system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline,
	       (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database_oid,
	       'delivery_guard'::regclass::oid::bigint AS table_oid
	FROM pg_control_system() c`

// GuardHolds is the condition of every claim: this is the database that last delivered, and delivery is not paused.
const GuardHolds = `EXISTS (
	SELECT FROM delivery_guard g, (` + Identity + `) n
	WHERE g.paused_at IS NULL AND ` + SameDatabase + `)`

// SameDatabase compares the guard, g, with the identity, n.
const SameDatabase = `(g.system_identifier, g.timeline, g.database_oid, g.table_oid) = (n.system_identifier, n.timeline, n.database_oid, n.table_oid)`

// ItemsRestored selects restored items that wait for a decision. planned: a person has scheduled the item for after
// the restore; a retry's due time does not count.
const ItemsRestored = `
	SELECT it.id, it.account_id, coalesce(coalesce(m.send_at, h.send_at) > it.restored_at, false) AS planned
	FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
	WHERE it.state = 'uncertain' AND it.restored_at IS NOT NULL`
