package store

// Living is a process that has given a sign of life lately.
const Living = `seen_at > now() - interval '15 seconds'`

// Identity reads which database this is: the cluster's system identifier and timeline, and the oids of the database and
// the guard table. A dump restored, a recovery to a point in time and a failover each change one of them.
const Identity = `
	SELECT c.system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline,
	       (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database_oid,
	       'delivery_guard'::regclass::oid::bigint AS table_oid
	FROM pg_control_system() c`

// GuardHolds is the condition that every claim carries: this is the database that last delivered, and nobody paused it.
const GuardHolds = `EXISTS (
	SELECT FROM delivery_guard g, (` + Identity + `) n
	WHERE g.paused_at IS NULL AND g.system_identifier = n.system_identifier AND g.timeline = n.timeline
	  AND g.database_oid = n.database_oid AND g.table_oid = n.table_oid)`

// ItemsRestored are those that wait for a decision. A time of their own is what a person gave them; another wait, as after
// an attempt, is none.
const ItemsRestored = `
	SELECT it.id, it.account_id, coalesce(coalesce(m.send_at, h.send_at) > it.restored_at, false) AS planned
	FROM items it LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN shipments h ON h.item_id = it.id
	WHERE it.state = 'uncertain' AND it.restored_at IS NOT NULL`
