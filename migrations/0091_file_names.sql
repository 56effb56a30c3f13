-- +goose Up
-- What a file was called when its name had to be put right, in signs that can be read; empty: it has the name that it came with.
ALTER TABLE documents ADD COLUMN renamed_from text NOT NULL DEFAULT '';

-- Names of drafts' files in composed form, as those that come now: letters that look alike are alike.
UPDATE documents d SET file_name = normalize(d.file_name, NFC)
FROM items i
WHERE i.id = d.item_id AND i.state = 'draft' AND d.file_name IS NOT NFC NORMALIZED
  AND NOT EXISTS (SELECT FROM documents o WHERE o.item_id = d.item_id AND o.id <> d.id AND lower(normalize(o.file_name, NFC)) = lower(normalize(d.file_name, NFC)));
