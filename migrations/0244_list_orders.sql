-- +goose Up
-- What lists of shipments are sorted by, as store/lists/list_order.go says it: small letters in the order of the Norwegian alphabet,
-- whatever the database's locale. The text of a protected person is empty: its place in a list would tell who they are.
CREATE INDEX shipments_title_idx ON shipments (account_id,
    (CASE WHEN protected_id IS NULL THEN translate(lower(left(title, 60)), 'ÆØÅÄÖæøåäöÀÁÂÉÈÊÓÒÔÜàáâéèêóòôü', '{|}{|{|}{|aaaeeeoooyaaaeeeoooy') ELSE '' END COLLATE "C"), item_id);
CREATE INDEX shipments_recipient_idx ON shipments (account_id,
    (CASE WHEN protected_id IS NULL THEN translate(lower(left(recipient_name, 60)), 'ÆØÅÄÖæøåäöÀÁÂÉÈÊÓÒÔÜàáâéèêóòôü', '{|}{|{|}{|aaaeeeoooyaaaeeeoooy') ELSE '' END COLLATE "C"), item_id);
CREATE INDEX shipments_external_idx ON shipments (account_id,
    (CASE WHEN protected_id IS NULL THEN translate(lower(left(external_reference, 60)), 'ÆØÅÄÖæøåäöÀÁÂÉÈÊÓÒÔÜàáâéèêóòôü', '{|}{|{|}{|aaaeeeoooyaaaeeeoooy') ELSE '' END COLLATE "C"), item_id);

-- How a person wants lists to look (dispatch.ListView); empty: as usual.
ALTER TABLE users ADD COLUMN list_view text NOT NULL DEFAULT '';
