-- +goose Up
-- Prices and an account's budget. A price of 0 is a price; an unknown price is NULL from now on.
ALTER TABLE accounts ALTER price_sms DROP NOT NULL, ALTER price_sms DROP DEFAULT,
    ALTER price_digital DROP NOT NULL, ALTER price_digital DROP DEFAULT,
    ALTER price_print DROP NOT NULL, ALTER price_print DROP DEFAULT,
    ADD COLUMN price_sheet integer NOT NULL DEFAULT 0, -- in øre, added to price_print, like the two below
    ADD COLUMN price_color integer NOT NULL DEFAULT 0,
    ADD COLUMN price_giro integer NOT NULL DEFAULT 0,
    ADD COLUMN price_cover_sheet boolean NOT NULL DEFAULT false, -- the cover sheet counts as a sheet
    ADD COLUMN budget integer NOT NULL DEFAULT 0 CONSTRAINT accounts_budget_check CHECK (budget BETWEEN 0 AND 1000000000), -- per month, in øre; 0: none
    ADD COLUMN budget_rule text NOT NULL DEFAULT '' CONSTRAINT accounts_budget_rule_check CHECK (budget_rule IN ('', 'warn', 'stop', 'lead')),
    ADD CONSTRAINT accounts_sheet_prices_check CHECK (
        least(price_sheet, price_color, price_giro) >= 0 AND greatest(price_sheet, price_color, price_giro) <= 1000000);
UPDATE accounts SET price_sms = nullif(price_sms, 0), price_digital = nullif(price_digital, 0), price_print = nullif(price_print, 0);

-- Cost of a shipment on paper and digitally when it was queued, and the month of the budget that it counts in; NULL: none.
ALTER TABLE shipments ADD COLUMN cost_print integer NOT NULL DEFAULT 0, ADD COLUMN cost_digital integer NOT NULL DEFAULT 0, ADD COLUMN cost_month date;
CREATE INDEX shipments_cost_idx ON shipments (account_id, cost_month) WHERE cost_month IS NOT NULL;
ALTER TABLE jobs ADD COLUMN cost_print integer NOT NULL DEFAULT 0, ADD COLUMN cost_digital integer NOT NULL DEFAULT 0; -- per shipment
