-- +goose Up
-- The hour at which read items were handed over, for the best hour to send. Changes that are not folded yet have none, and are
-- counted by the sums below, which are of all items.
ALTER TABLE stat_changes ADD COLUMN hour integer; -- hour of the day in Oslo; NULL: not read
INSERT INTO stats (account_id, day, kind, dimension, value, n, arrived, stopped, parts)
SELECT it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date, it.kind, 'hour',
       to_char(it.accepted_at AT TIME ZONE 'Europe/Oslo', 'HH24') || '-' || l.read_band, count(*), count(*) FILTER (WHERE r.list_group = 'arrived'),
       count(*) FILTER (WHERE r.list_group = 'stopped'), coalesce(sum(m.parts), 0)
FROM listed l JOIN items it ON it.id = l.item_id LEFT JOIN sms m ON m.item_id = it.id LEFT JOIN statuses r ON r.kind = it.kind AND r.status = l.outcome
WHERE l.read_band IS NOT NULL AND it.accepted_at IS NOT NULL
GROUP BY 1, 2, 3, 4, 5;
