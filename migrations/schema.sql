-- The schema as tables and code have made it, by name. Written by a test, which holds it against the database: see CONTRIBUTING.md.

CREATE TABLE absences (
	account_id uuid NOT NULL
	user_id uuid NOT NULL
	deputy_id uuid
	until date NOT NULL
	set_by uuid NOT NULL
	set_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT absences_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT absences_deputy_check CHECK ((deputy_id <> user_id))
	CONSTRAINT absences_deputy_id_fkey FOREIGN KEY (deputy_id) REFERENCES users(id) ON DELETE CASCADE
	CONSTRAINT absences_pkey PRIMARY KEY (account_id, user_id)
	CONSTRAINT absences_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id)
	CONSTRAINT absences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX absences_deputy_idx ON public.absences USING btree (deputy_id, account_id) WHERE (deputy_id IS NOT NULL);

CREATE TABLE access_reviews (
	id uuid NOT NULL
	at timestamp with time zone NOT NULL DEFAULT now()
	user_id uuid NOT NULL
	people integer NOT NULL
	note bytea NOT NULL
	CONSTRAINT access_reviews_pkey PRIMARY KEY (id)
	CONSTRAINT access_reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX access_reviews_at_idx ON public.access_reviews USING btree (at DESC);

CREATE TABLE account_alarms (
	account_id uuid NOT NULL
	failing_least integer NOT NULL DEFAULT 0
	failing_percent integer NOT NULL DEFAULT 0
	chat bytea NOT NULL DEFAULT '\x'::bytea
	chat_format text NOT NULL DEFAULT 'text'::text
	changed_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT account_alarms_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT account_alarms_failing_check CHECK (((failing_least >= 0) AND ((failing_percent >= 0) AND (failing_percent <= 100))))
	CONSTRAINT account_alarms_format_check CHECK ((chat_format = ANY (ARRAY['text'::text, 'card'::text])))
	CONSTRAINT account_alarms_pkey PRIMARY KEY (account_id)
);

CREATE TABLE account_refusals (
	account_id uuid NOT NULL
	integration_id uuid NOT NULL
	refused_at timestamp with time zone NOT NULL DEFAULT now()
	refused_key text NOT NULL
	refused_status integer NOT NULL DEFAULT 0
	refused_error_id text NOT NULL DEFAULT ''::text
	next_probe_at timestamp with time zone NOT NULL
	CONSTRAINT account_refusals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT account_refusals_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE
	CONSTRAINT account_refusals_pkey PRIMARY KEY (account_id, integration_id)
);

CREATE TABLE accounts (
	id uuid NOT NULL
	slug text NOT NULL
	name text NOT NULL
	sms_account_id uuid
	shipment_account_id uuid
	sms_integration_id uuid
	shipment_integration_id uuid
	sender_name text NOT NULL DEFAULT ''::text
	source_system text NOT NULL DEFAULT ''::text
	undo_seconds integer NOT NULL DEFAULT 60
	created_at timestamp with time zone NOT NULL DEFAULT now()
	version integer NOT NULL DEFAULT 1
	disabled_at timestamp with time zone
	organization_number text NOT NULL DEFAULT ''::text
	billing_code text NOT NULL DEFAULT ''::text
	print_single_sided boolean NOT NULL DEFAULT false
	print_color boolean NOT NULL DEFAULT false
	watch_words text NOT NULL DEFAULT ''::text
	daytime_from integer NOT NULL DEFAULT 0
	daytime_to integer NOT NULL DEFAULT 0
	sms_limit integer NOT NULL DEFAULT 0
	shipment_defaults jsonb NOT NULL DEFAULT '{}'::jsonb
	print_rules jsonb
	unread_hours integer NOT NULL DEFAULT 0
	price_sms integer
	price_digital integer
	price_print integer
	price_sheet integer NOT NULL DEFAULT 0
	price_color integer NOT NULL DEFAULT 0
	price_giro integer NOT NULL DEFAULT 0
	price_cover_sheet boolean NOT NULL DEFAULT false
	budget integer NOT NULL DEFAULT 0
	budget_rule text NOT NULL DEFAULT ''::text
	approval_rule jsonb NOT NULL DEFAULT '{}'::jsonb
	workdays boolean NOT NULL DEFAULT false
	reference_pattern text NOT NULL DEFAULT ''::text
	reference_unit text NOT NULL DEFAULT ''::text
	reference_fill boolean NOT NULL DEFAULT false
	holidays_count boolean NOT NULL DEFAULT false
	CONSTRAINT accounts_budget_check CHECK (((budget >= 0) AND (budget <= 1000000000)))
	CONSTRAINT accounts_budget_rule_check CHECK ((budget_rule = ANY (ARRAY[''::text, 'warn'::text, 'stop'::text, 'lead'::text])))
	CONSTRAINT accounts_daytime_check CHECK ((((daytime_from = 0) AND (daytime_to = 0)) OR ((daytime_from >= 0) AND (daytime_from < daytime_to) AND (daytime_to <= 1440))))
	CONSTRAINT accounts_pkey PRIMARY KEY (id)
	CONSTRAINT accounts_prices_check CHECK (((LEAST(price_sms, price_digital, price_print) >= 0) AND (GREATEST(price_sms, price_digital, price_print) <= 1000000)))
	CONSTRAINT accounts_rights TRIGGER DEFERRABLE INITIALLY DEFERRED
	CONSTRAINT accounts_sender_name_check CHECK ((length(sender_name) <= 11))
	CONSTRAINT accounts_sheet_prices_check CHECK (((LEAST(price_sheet, price_color, price_giro) >= 0) AND (GREATEST(price_sheet, price_color, price_giro) <= 1000000)))
	CONSTRAINT accounts_shipment_integration_id_fkey FOREIGN KEY (shipment_integration_id) REFERENCES integrations(id)
	CONSTRAINT accounts_slug_check CHECK ((slug ~ '^[a-z0-9](-?[a-z0-9]){0,39}$'::text))
	CONSTRAINT accounts_slug_key UNIQUE (slug)
	CONSTRAINT accounts_sms_integration_id_fkey FOREIGN KEY (sms_integration_id) REFERENCES integrations(id)
	CONSTRAINT accounts_sms_limit_check CHECK ((sms_limit >= 0))
	CONSTRAINT accounts_undo_check CHECK (((undo_seconds >= 0) AND (undo_seconds <= 3600)))
	CONSTRAINT accounts_unread_check CHECK (((unread_hours >= 0) AND (unread_hours <= 720)))
);
CREATE TRIGGER accounts_follow_unread AFTER UPDATE ON public.accounts FOR EACH ROW WHEN ((old.unread_hours <> new.unread_hours)) EXECUTE FUNCTION follow_unread();
CREATE CONSTRAINT TRIGGER accounts_rights AFTER INSERT OR DELETE OR UPDATE ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();

CREATE TABLE act_requests (
	id uuid NOT NULL
	act text NOT NULL
	object_id uuid
	name text NOT NULL
	seen text NOT NULL
	change text NOT NULL DEFAULT ''::text
	reason text NOT NULL
	state text NOT NULL DEFAULT 'waiting'::text
	asked_by uuid NOT NULL
	asked_at timestamp with time zone NOT NULL DEFAULT now()
	expires_at timestamp with time zone NOT NULL
	decided_by uuid
	decided_at timestamp with time zone
	CONSTRAINT act_requests_act_check CHECK ((act = ANY (ARRAY['open'::text, 'delete'::text, 'retention'::text])))
	CONSTRAINT act_requests_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id)
	CONSTRAINT act_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id)
	CONSTRAINT act_requests_decided_check CHECK ((((state = 'waiting'::text) = (decided_at IS NULL)) AND ((state = ANY (ARRAY['waiting'::text, 'expired'::text])) = (decided_by IS NULL))))
	CONSTRAINT act_requests_own_check CHECK (((state <> ALL (ARRAY['approved'::text, 'refused'::text])) OR (decided_by <> asked_by)))
	CONSTRAINT act_requests_pkey PRIMARY KEY (id)
	CONSTRAINT act_requests_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text])))
);
CREATE INDEX act_requests_asked_idx ON public.act_requests USING btree (asked_at DESC, id DESC);
CREATE UNIQUE INDEX act_requests_key ON public.act_requests USING btree (act, object_id) NULLS NOT DISTINCT WHERE (state = 'waiting'::text);
CREATE TRIGGER act_requests_once BEFORE UPDATE ON public.act_requests FOR EACH ROW WHEN (((old.state <> 'waiting'::text) OR (((((((old.act IS DISTINCT FROM new.act) OR (old.object_id IS DISTINCT FROM new.object_id)) OR (old.seen IS DISTINCT FROM new.seen)) OR (old.change IS DISTINCT FROM new.change)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.asked_by IS DISTINCT FROM new.asked_by)) OR (old.expires_at IS DISTINCT FROM new.expires_at)) OR ((new.state = 'approved'::text) AND (old.expires_at <= now())))) EXECUTE FUNCTION approval_decided();

CREATE TABLE alarms (
	id uuid NOT NULL
	key text NOT NULL
	kind text NOT NULL
	integration_id uuid
	account_id uuid
	figure integer NOT NULL DEFAULT 0
	began_at timestamp with time zone NOT NULL DEFAULT now()
	seen_at timestamp with time zone NOT NULL DEFAULT now()
	ended_at timestamp with time zone
	passed_at timestamp with time zone
	CONSTRAINT alarms_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT alarms_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE
	CONSTRAINT alarms_pkey PRIMARY KEY (id)
);
CREATE INDEX alarms_began_idx ON public.alarms USING btree (began_at DESC, id DESC);
CREATE UNIQUE INDEX alarms_open_key ON public.alarms USING btree (key) WHERE (ended_at IS NULL);

CREATE TABLE answers (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	sealed bytea NOT NULL
	at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT answers_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT answers_pkey PRIMARY KEY (item_id)
);

CREATE TABLE applied_code (
	hash text NOT NULL
	applied_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
	CONSTRAINT applied_code_pkey PRIMARY KEY (hash)
);

CREATE TABLE approvals (
	id uuid NOT NULL
	account_id uuid NOT NULL
	item_id uuid
	job_id uuid
	seen text NOT NULL
	recipients integer NOT NULL
	reasons text[] NOT NULL
	state text NOT NULL DEFAULT 'waiting'::text
	asked_by uuid NOT NULL
	asked_at timestamp with time zone NOT NULL DEFAULT now()
	decided_by uuid
	decided_at timestamp with time zone
	note bytea
	anyway boolean NOT NULL DEFAULT false
	template_id uuid
	CONSTRAINT approvals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT approvals_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id)
	CONSTRAINT approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id)
	CONSTRAINT approvals_decided_check CHECK ((((state = 'waiting'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL))))
	CONSTRAINT approvals_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT approvals_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	CONSTRAINT approvals_of_check CHECK ((num_nonnulls(item_id, job_id, template_id) = 1))
	CONSTRAINT approvals_own_check CHECK (((state <> ALL (ARRAY['approved'::text, 'returned'::text])) OR (decided_by <> asked_by)))
	CONSTRAINT approvals_pkey PRIMARY KEY (id)
	CONSTRAINT approvals_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'returned'::text, 'withdrawn'::text])))
	CONSTRAINT approvals_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates(account_id, id)
);
CREATE INDEX approvals_item_idx ON public.approvals USING btree (item_id, asked_at DESC) WHERE (item_id IS NOT NULL);
CREATE UNIQUE INDEX approvals_item_key ON public.approvals USING btree (item_id) WHERE (state = 'waiting'::text);
CREATE INDEX approvals_job_idx ON public.approvals USING btree (job_id, asked_at DESC) WHERE (job_id IS NOT NULL);
CREATE UNIQUE INDEX approvals_job_key ON public.approvals USING btree (job_id) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX approvals_template_key ON public.approvals USING btree (template_id) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX approvals_version_key ON public.approvals USING btree (template_id, seen) WHERE (template_id IS NOT NULL);
CREATE INDEX approvals_waiting_idx ON public.approvals USING btree (account_id, asked_at, id) WHERE (state = 'waiting'::text);
CREATE TRIGGER approvals_asked BEFORE INSERT ON public.approvals FOR EACH ROW EXECUTE FUNCTION approval_asked();
CREATE TRIGGER approvals_once BEFORE UPDATE ON public.approvals FOR EACH ROW WHEN ((((old.state <> 'waiting'::text) AND (old.state <> new.state)) OR ((((((old.item_id IS DISTINCT FROM new.item_id) OR (old.job_id IS DISTINCT FROM new.job_id)) OR (old.template_id IS DISTINCT FROM new.template_id)) OR (old.seen IS DISTINCT FROM new.seen)) OR (old.asked_by IS DISTINCT FROM new.asked_by)) OR (old.account_id IS DISTINCT FROM new.account_id)))) EXECUTE FUNCTION approval_decided();

CREATE TABLE archived_items (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	case_name text NOT NULL
	archived_by uuid NOT NULL
	archived_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT archived_items_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT archived_items_archived_by_fkey FOREIGN KEY (archived_by) REFERENCES users(id)
	CONSTRAINT archived_items_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT archived_items_pkey PRIMARY KEY (item_id)
);
CREATE TRIGGER archived_items_listed AFTER INSERT OR DELETE ON public.archived_items FOR EACH ROW EXECUTE FUNCTION list_archived();

CREATE TABLE attempts (
	id uuid NOT NULL
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	integration_id uuid
	started_at timestamp with time zone NOT NULL DEFAULT now()
	finished_at timestamp with time zone
	outcome text NOT NULL DEFAULT ''::text
	reason_key text NOT NULL DEFAULT ''::text
	http_status integer NOT NULL DEFAULT 0
	error_id text NOT NULL DEFAULT ''::text
	upstream_id uuid
	resolution text NOT NULL DEFAULT ''::text
	resolved_by uuid
	resolved_at timestamp with time zone
	reserved_id uuid
	sent_at timestamp with time zone
	reserves boolean NOT NULL DEFAULT false
	part_id uuid
	reference text
	proven boolean NOT NULL DEFAULT false
	ordinal bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY
	CONSTRAINT attempts_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT attempts_outcome_check CHECK ((outcome = ANY (ARRAY[''::text, 'accepted'::text, 'rejected'::text, 'unavailable'::text, 'refused'::text, 'uncertain'::text])))
	CONSTRAINT attempts_pkey PRIMARY KEY (id)
	CONSTRAINT attempts_resolution_check CHECK ((resolution = ANY (ARRAY[''::text, 'sent'::text, 'not_sent'::text])))
);
CREATE INDEX attempts_item_idx ON public.attempts USING btree (item_id, ordinal);
CREATE INDEX attempts_part_idx ON public.attempts USING btree (part_id) WHERE (part_id IS NOT NULL);

CREATE TABLE audit_anchors (
	"position" bigint NOT NULL
	hash bytea NOT NULL
	purged_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT audit_anchors_pkey PRIMARY KEY ("position")
);

CREATE TABLE audit_chain (
	"position" bigint NOT NULL
	audit_id bigint NOT NULL
	hash bytea NOT NULL
	form smallint NOT NULL DEFAULT 1
	CONSTRAINT audit_chain_audit_key UNIQUE (audit_id)
	CONSTRAINT audit_chain_pkey PRIMARY KEY ("position")
);

CREATE TABLE audit_events (
	id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
	at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
	actor_id uuid
	account_id uuid
	action text NOT NULL
	object_id uuid
	details jsonb NOT NULL DEFAULT '{}'::jsonb
	origin text NOT NULL DEFAULT ''::text
	actor_name text NOT NULL DEFAULT ''::text
	account_name text NOT NULL DEFAULT ''::text
	sign_in_id uuid
	CONSTRAINT audit_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT audit_events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id)
	CONSTRAINT audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_events_account_idx ON public.audit_events USING btree (account_id, at DESC, id DESC) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_events_action_idx ON public.audit_events USING btree (action, at DESC, id DESC);
CREATE INDEX audit_events_actor_account_idx ON public.audit_events USING btree (actor_id, account_id, at DESC);
CREATE INDEX audit_events_actor_idx ON public.audit_events USING btree (actor_id, at DESC, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_events_at_idx ON public.audit_events USING btree (at DESC, id DESC);
CREATE INDEX audit_events_draft_idx ON public.audit_events USING hash (((details ->> 'draft'::text))) WHERE ((details ->> 'draft'::text) IS NOT NULL);
CREATE INDEX audit_events_lookup_idx ON public.audit_events USING btree (actor_id, at) WHERE (action = 'lookup'::text);
CREATE INDEX audit_events_made_idx ON public.audit_events USING hash (((details ->> 'made'::text))) WHERE ((details ->> 'made'::text) IS NOT NULL);
CREATE INDEX audit_events_number_search_account_idx ON public.audit_events USING btree (account_id, at) WHERE (action = ANY (ARRAY['list.search'::text, 'recipient.today'::text]));
CREATE INDEX audit_events_number_search_idx ON public.audit_events USING btree (actor_id, at) WHERE (action = ANY (ARRAY['list.search'::text, 'citizen.report'::text, 'recipient.today'::text]));
CREATE INDEX audit_events_object_idx ON public.audit_events USING btree (object_id) WHERE (object_id IS NOT NULL);

CREATE TABLE bulk_acts (
	id uuid NOT NULL
	account_id uuid NOT NULL
	user_id uuid NOT NULL
	form_key uuid NOT NULL
	act text NOT NULL
	terms bytea NOT NULL
	origin text NOT NULL DEFAULT ''::text
	lead boolean NOT NULL
	total integer NOT NULL DEFAULT 0
	created_at timestamp with time zone NOT NULL DEFAULT now()
	expires_at timestamp with time zone NOT NULL
	attempt integer NOT NULL DEFAULT 0
	lease_until timestamp with time zone
	done_at timestamp with time zone
	CONSTRAINT bulk_acts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT bulk_acts_form_key UNIQUE (account_id, user_id, form_key)
	CONSTRAINT bulk_acts_pkey PRIMARY KEY (id)
	CONSTRAINT bulk_acts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX bulk_acts_expires_idx ON public.bulk_acts USING btree (expires_at);
CREATE INDEX bulk_acts_waiting_idx ON public.bulk_acts USING btree (created_at) WHERE (done_at IS NULL);

CREATE TABLE bulk_items (
	bulk_id uuid NOT NULL
	"position" integer NOT NULL
	item_id uuid NOT NULL
	result text NOT NULL DEFAULT ''::text
	CONSTRAINT bulk_items_bulk_id_fkey FOREIGN KEY (bulk_id) REFERENCES bulk_acts(id) ON DELETE CASCADE
	CONSTRAINT bulk_items_pkey PRIMARY KEY (bulk_id, "position")
);
CREATE INDEX bulk_items_waiting_idx ON public.bulk_items USING btree (bulk_id, "position") WHERE (result = ''::text);

CREATE TABLE causes (
	cause text NOT NULL
	place integer NOT NULL
	stays boolean NOT NULL
	CONSTRAINT causes_pkey PRIMARY KEY (cause)
);

CREATE TABLE credentials (
	id uuid NOT NULL
	integration_id uuid NOT NULL
	state text NOT NULL
	method text NOT NULL DEFAULT ''::text
	sealed bytea
	created_at timestamp with time zone NOT NULL DEFAULT now()
	created_by uuid
	switch_at timestamp with time zone
	expires_at timestamp with time zone
	replaced_at timestamp with time zone
	wiped_at timestamp with time zone
	refused_at timestamp with time zone
	refused_key text NOT NULL DEFAULT ''::text
	refused_status integer NOT NULL DEFAULT 0
	refused_error_id text NOT NULL DEFAULT ''::text
	worked_at timestamp with time zone
	denied_at timestamp with time zone
	tried_at timestamp with time zone
	tried_failed text NOT NULL DEFAULT ''::text
	CONSTRAINT credentials_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
	CONSTRAINT credentials_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE
	CONSTRAINT credentials_pkey PRIMARY KEY (id)
	CONSTRAINT credentials_state_check CHECK ((state = ANY (ARRAY['next'::text, 'active'::text, 'retiring'::text, 'wiped'::text])))
	CONSTRAINT credentials_switch_check CHECK (((state <> 'next'::text) OR (switch_at IS NOT NULL)))
	CONSTRAINT credentials_wiped_check CHECK (((state = 'wiped'::text) = (sealed IS NULL)))
);
CREATE UNIQUE INDEX credentials_active_idx ON public.credentials USING btree (integration_id) WHERE (state = 'active'::text);
CREATE INDEX credentials_integration_idx ON public.credentials USING btree (integration_id, created_at DESC);
CREATE UNIQUE INDEX credentials_next_idx ON public.credentials USING btree (integration_id) WHERE (state = 'next'::text);
CREATE TRIGGER fallback_ended AFTER UPDATE ON public.credentials FOR EACH ROW WHEN (((old.refused_at IS NOT NULL) AND (old.state = 'active'::text) AND ((new.refused_at IS NULL) OR (new.state <> 'active'::text)))) EXECUTE FUNCTION alarm_condition_ended('fallback', 'integration_id');

CREATE TABLE delivery_guard (
	single boolean NOT NULL DEFAULT true
	system_identifier bigint NOT NULL
	timeline text NOT NULL
	database_oid bigint NOT NULL
	table_oid bigint NOT NULL
	paused_at timestamp with time zone
	paused_by text NOT NULL DEFAULT ''::text
	promoted_at timestamp with time zone
	CONSTRAINT delivery_guard_pkey PRIMARY KEY (single)
	CONSTRAINT delivery_guard_single_check CHECK (single)
);
CREATE TRIGGER pause_ended AFTER UPDATE ON public.delivery_guard FOR EACH ROW WHEN (((old.paused_at IS NOT NULL) AND (new.paused_at IS NULL))) EXECUTE FUNCTION alarm_condition_ended('paused');

CREATE TABLE document_chunks (
	document_id uuid NOT NULL
	"position" integer NOT NULL
	data bytea NOT NULL STORAGE EXTERNAL
	object text
	object_seal bytea
	CONSTRAINT document_chunks_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE
	CONSTRAINT document_chunks_object_check CHECK (((object IS NULL) OR ((data = '\x'::bytea) AND (object_seal IS NOT NULL))))
	CONSTRAINT document_chunks_pkey PRIMARY KEY (document_id, "position")
);
CREATE UNIQUE INDEX document_chunks_object_idx ON public.document_chunks USING btree (object) WHERE (object IS NOT NULL);

CREATE TABLE documents (
	id uuid NOT NULL
	item_id uuid
	account_id uuid NOT NULL
	"position" integer NOT NULL
	file_name text NOT NULL
	mime_type text NOT NULL DEFAULT ''::text
	size bigint NOT NULL DEFAULT 0
	sha256 text NOT NULL DEFAULT ''::text
	pages integer NOT NULL DEFAULT 0
	found text NOT NULL DEFAULT ''::text
	complete boolean NOT NULL DEFAULT false
	created_at timestamp with time zone NOT NULL DEFAULT now()
	giro_pages integer[] NOT NULL DEFAULT '{}'::integer[]
	exclude_from_print boolean NOT NULL DEFAULT false
	sensitive boolean NOT NULL DEFAULT false
	document_type text NOT NULL DEFAULT ''::text
	reading bytea
	job_id uuid
	part integer NOT NULL DEFAULT 0
	alive_at timestamp with time zone NOT NULL DEFAULT now()
	renamed_from text NOT NULL DEFAULT ''::text
	replaced_by uuid
	cleaned jsonb
	own_name text NOT NULL DEFAULT ''::text
	CONSTRAINT documents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT documents_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT documents_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	CONSTRAINT documents_owner_check CHECK ((num_nonnulls(item_id, job_id, replaced_by) = 1))
	CONSTRAINT documents_pkey PRIMARY KEY (id)
	CONSTRAINT documents_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES documents(id) ON DELETE CASCADE
);
CREATE INDEX documents_incomplete_idx ON public.documents USING btree (created_at) WHERE (NOT complete);
CREATE INDEX documents_item_idx ON public.documents USING btree (item_id, "position");
CREATE INDEX documents_job_idx ON public.documents USING btree (job_id, part) WHERE (job_id IS NOT NULL);
CREATE UNIQUE INDEX documents_name_idx ON public.documents USING btree (item_id, lower(file_name)) WHERE complete;
CREATE UNIQUE INDEX documents_own_name_idx ON public.documents USING btree (job_id, own_name) WHERE ((own_name <> ''::text) AND complete);
CREATE UNIQUE INDEX documents_replaced_idx ON public.documents USING btree (replaced_by) WHERE (replaced_by IS NOT NULL);

CREATE TABLE events (
	id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
	kind text NOT NULL
	actor_id uuid
	detail text NOT NULL DEFAULT ''::text
	reason_key text NOT NULL DEFAULT ''::text
	reason_status integer NOT NULL DEFAULT 0
	error_id text NOT NULL DEFAULT ''::text
	CONSTRAINT events_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_item_idx ON public.events USING btree (item_id, id DESC);

CREATE TABLE export_chunks (
	export_id uuid NOT NULL
	attempt integer NOT NULL
	"position" integer NOT NULL
	data bytea NOT NULL STORAGE EXTERNAL
	CONSTRAINT export_chunks_export_id_fkey FOREIGN KEY (export_id) REFERENCES exports(id) ON DELETE CASCADE
	CONSTRAINT export_chunks_pkey PRIMARY KEY (export_id, attempt, "position")
);

CREATE TABLE exports (
	id uuid NOT NULL
	account_id uuid NOT NULL
	user_id uuid NOT NULL
	format text NOT NULL
	query bytea NOT NULL
	created_at timestamp with time zone NOT NULL DEFAULT now()
	expires_at timestamp with time zone NOT NULL
	expected integer
	attempt integer NOT NULL DEFAULT 0
	lease_until timestamp with time zone
	rows integer NOT NULL DEFAULT 0
	size bigint NOT NULL DEFAULT 0
	sha256 text NOT NULL DEFAULT ''::text
	done_at timestamp with time zone
	failed_at timestamp with time zone
	CONSTRAINT exports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'xlsx'::text])))
	CONSTRAINT exports_pkey PRIMARY KEY (id)
	CONSTRAINT exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX exports_expires_idx ON public.exports USING btree (expires_at);
CREATE INDEX exports_user_idx ON public.exports USING btree (account_id, user_id, created_at DESC);
CREATE INDEX exports_waiting_idx ON public.exports USING btree (created_at) WHERE ((done_at IS NULL) AND (failed_at IS NULL));

CREATE TABLE follow_ups (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	cause text NOT NULL
	since timestamp with time zone NOT NULL
	ended_at timestamp with time zone
	owner_id uuid
	due_on date
	note bytea
	done_at timestamp with time zone
	done_by uuid
	reason bytea
	CONSTRAINT follow_ups_done_by_fkey FOREIGN KEY (done_by) REFERENCES users(id)
	CONSTRAINT follow_ups_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT follow_ups_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
	CONSTRAINT follow_ups_pkey PRIMARY KEY (item_id)
);
CREATE INDEX follow_ups_cause_idx ON public.follow_ups USING btree (account_id, cause, since DESC, item_id DESC) WHERE ((ended_at IS NULL) AND (done_at IS NULL));
CREATE INDEX follow_ups_failed_idx ON public.follow_ups USING btree (account_id, since DESC, item_id) WHERE ((ended_at IS NULL) AND (cause = ANY (ARRAY['uncertain'::text, 'rejected'::text, 'failed'::text, 'not_delivered'::text])));
CREATE INDEX follow_ups_open_idx ON public.follow_ups USING btree (account_id, since DESC, item_id DESC) WHERE ((ended_at IS NULL) AND (done_at IS NULL));
CREATE INDEX follow_ups_owner_idx ON public.follow_ups USING btree (account_id, owner_id, since DESC, item_id DESC) WHERE ((ended_at IS NULL) AND (done_at IS NULL) AND (owner_id IS NOT NULL));

CREATE TABLE former_service_ids (
	account_id uuid NOT NULL
	kind text NOT NULL
	service_id uuid NOT NULL
	until timestamp with time zone NOT NULL DEFAULT clock_timestamp()
	CONSTRAINT former_service_ids_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT former_service_ids_pkey PRIMARY KEY (account_id, kind, until)
);

CREATE TABLE holds (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	reason text NOT NULL DEFAULT ''::text
	set_by uuid NOT NULL
	set_at timestamp with time zone NOT NULL DEFAULT now()
	sealed bytea
	CONSTRAINT holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT holds_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id)
	CONSTRAINT holds_pkey PRIMARY KEY (item_id)
	CONSTRAINT holds_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id)
);

CREATE TABLE integrations (
	id uuid NOT NULL
	name text NOT NULL
	kind text NOT NULL
	service text NOT NULL
	parallelism integer NOT NULL DEFAULT 8
	rate_per_second double precision NOT NULL DEFAULT 20
	created_at timestamp with time zone NOT NULL DEFAULT now()
	refused_at timestamp with time zone
	refused_key text NOT NULL DEFAULT ''::text
	refused_status integer NOT NULL DEFAULT 0
	refused_error_id text NOT NULL DEFAULT ''::text
	next_probe_at timestamp with time zone
	stopped_at timestamp with time zone
	stopped_by text NOT NULL DEFAULT ''::text
	uncertain_streak integer NOT NULL DEFAULT 0
	last_used_at timestamp with time zone
	last_success_at timestamp with time zone
	wire text NOT NULL DEFAULT 'spec'::text
	reserve_ids boolean NOT NULL DEFAULT true
	environment text NOT NULL DEFAULT ''::text
	version integer NOT NULL DEFAULT 1
	tried_at timestamp with time zone
	tried_failed text NOT NULL DEFAULT ''::text
	certificate text NOT NULL DEFAULT ''::text
	key_transport text NOT NULL DEFAULT 'oaep'::text
	certificate_expires_at timestamp with time zone
	refusal_cleared_at timestamp with time zone
	tried_set uuid
	unproven boolean NOT NULL DEFAULT true
	CONSTRAINT integrations_environment_check CHECK ((environment = ANY (ARRAY[''::text, 'test'::text, 'production'::text])))
	CONSTRAINT integrations_key_transport_check CHECK ((key_transport = ANY (ARRAY['oaep'::text, 'pkcs1'::text])))
	CONSTRAINT integrations_kind_check CHECK ((kind = ANY (ARRAY['sms'::text, 'shipment_v1'::text, 'shipment_v2'::text, 'shipment_v3'::text])))
	CONSTRAINT integrations_name_key UNIQUE (name)
	CONSTRAINT integrations_parallelism_check CHECK (((parallelism >= 1) AND (parallelism <= 1000)))
	CONSTRAINT integrations_pkey PRIMARY KEY (id)
	CONSTRAINT integrations_rate_check CHECK ((rate_per_second > (0)::double precision))
	CONSTRAINT integrations_rights TRIGGER DEFERRABLE INITIALLY DEFERRED
	CONSTRAINT integrations_wire_check CHECK ((wire = ANY (ARRAY['spec'::text, 'deployed'::text])))
);
CREATE CONSTRAINT TRIGGER integrations_rights AFTER UPDATE OF kind, environment, certificate_expires_at ON public.integrations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();
CREATE TRIGGER refusal_ended AFTER UPDATE ON public.integrations FOR EACH ROW WHEN (((old.refused_at IS NOT NULL) AND (new.refused_at IS NULL))) EXECUTE FUNCTION alarm_condition_ended('refused', 'id');
CREATE TRIGGER stop_ended AFTER UPDATE ON public.integrations FOR EACH ROW WHEN (((old.stopped_at IS NOT NULL) AND (new.stopped_at IS NULL))) EXECUTE FUNCTION alarm_condition_ended('stopped', 'id');

CREATE TABLE items (
	id uuid NOT NULL
	account_id uuid NOT NULL
	kind text NOT NULL
	state text NOT NULL DEFAULT 'draft'::text
	created_at timestamp with time zone NOT NULL DEFAULT now()
	created_by uuid NOT NULL
	form_key uuid
	due_at timestamp with time zone
	due_since timestamp with time zone
	lease_token uuid
	lease_until timestamp with time zone
	unavailable_count integer NOT NULL DEFAULT 0
	restored_at timestamp with time zone
	reason_key text NOT NULL DEFAULT ''::text
	reason_status integer NOT NULL DEFAULT 0
	reason_error_id text NOT NULL DEFAULT ''::text
	reason_at timestamp with time zone
	integration_id uuid
	upstream_id uuid
	accepted_at timestamp with time zone
	status text NOT NULL DEFAULT ''::text
	status_at timestamp with time zone
	settled_at timestamp with time zone
	checked_at timestamp with time zone
	next_check_at timestamp with time zone
	pulled_at timestamp with time zone
	check_error_key text NOT NULL DEFAULT ''::text
	check_error_status integer NOT NULL DEFAULT 0
	check_error_id text NOT NULL DEFAULT ''::text
	check_error_at timestamp with time zone
	missing_reads integer NOT NULL DEFAULT 0
	reserved_id uuid
	recover_at timestamp with time zone
	window_ends_at timestamp with time zone
	pinned_integration_id uuid
	job_id uuid
	job_position integer
	list_group text NOT NULL DEFAULT 'draft'::text
	origin_id uuid
	origin_kind text NOT NULL DEFAULT ''::text
	stop_asked_by uuid
	stop_asked_at timestamp with time zone
	CONSTRAINT items_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT items_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
	CONSTRAINT items_due_check CHECK (((state <> 'queued'::text) OR ((due_at IS NOT NULL) AND (due_since IS NOT NULL))))
	CONSTRAINT items_form_check CHECK (((form_key IS NOT NULL) OR (job_id IS NOT NULL)))
	CONSTRAINT items_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id)
	CONSTRAINT items_kind_check CHECK ((kind = ANY (ARRAY['sms'::text, 'shipment'::text])))
	CONSTRAINT items_lease_check CHECK (((state = 'sending'::text) = (lease_until IS NOT NULL)))
	CONSTRAINT items_origin_check CHECK ((((origin_id IS NULL) = (origin_kind = ''::text)) AND (origin_kind = ANY (ARRAY[''::text, 'replaces'::text, 'reminds'::text]))))
	CONSTRAINT items_pinned_integration_id_fkey FOREIGN KEY (pinned_integration_id) REFERENCES integrations(id)
	CONSTRAINT items_pkey PRIMARY KEY (id)
	CONSTRAINT items_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'queued'::text, 'sending'::text, 'accepted'::text, 'rejected'::text, 'failed'::text, 'uncertain'::text, 'cancelled'::text])))
	CONSTRAINT items_stop_asked_by_fkey FOREIGN KEY (stop_asked_by) REFERENCES users(id)
	CONSTRAINT items_stop_asked_check CHECK (((stop_asked_by IS NULL) = (stop_asked_at IS NULL)))
);
CREATE INDEX items_check_idx ON public.items USING btree (integration_id, next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX items_created_idx ON public.items USING brin (created_at);
CREATE INDEX items_draft_idx ON public.items USING btree (account_id, created_by, kind, created_at DESC, id DESC) WHERE (state = 'draft'::text);
CREATE INDEX items_due_idx ON public.items USING btree (account_id, kind, job_id, due_at) WHERE (state = 'queued'::text);
CREATE UNIQUE INDEX items_form_key ON public.items USING btree (account_id, created_by, form_key, kind) WHERE (job_id IS NULL);
CREATE UNIQUE INDEX items_job_idx ON public.items USING btree (job_id, job_position) INCLUDE (state, status, upstream_id) WHERE (job_id IS NOT NULL);
CREATE INDEX items_job_uncertain_idx ON public.items USING btree (job_id) WHERE (state = 'uncertain'::text);
CREATE INDEX items_lease_idx ON public.items USING btree (lease_until) WHERE (state = 'sending'::text);
CREATE INDEX items_origin_idx ON public.items USING btree (origin_id) WHERE (origin_id IS NOT NULL);
CREATE INDEX items_pinned_idx ON public.items USING btree (account_id, pinned_integration_id) WHERE ((state = 'queued'::text) AND (pinned_integration_id IS NOT NULL));
CREATE INDEX items_planned_idx ON public.items USING btree (account_id, kind, due_since) WHERE (state = 'queued'::text);
CREATE INDEX items_recover_idx ON public.items USING btree (recover_at) WHERE (recover_at IS NOT NULL);
CREATE INDEX items_sent_over_idx ON public.items USING btree (integration_id, account_id) WHERE ((kind = 'shipment'::text) AND (integration_id IS NOT NULL));
CREATE INDEX items_uncertain_idx ON public.items USING btree (account_id, kind, created_at DESC, id DESC) WHERE (state = 'uncertain'::text);
CREATE INDEX items_upstream_idx ON public.items USING btree (upstream_id) WHERE (upstream_id IS NOT NULL);
CREATE TRIGGER items_approval BEFORE UPDATE OF state, created_by ON public.items FOR EACH ROW WHEN (((old.state = 'draft'::text) AND ((new.state <> 'draft'::text) OR (new.created_by <> old.created_by)))) EXECUTE FUNCTION approval_holds('item');
CREATE TRIGGER items_asked_stop BEFORE UPDATE OF state ON public.items FOR EACH ROW WHEN (((new.stop_asked_at IS NOT NULL) AND (new.state = 'queued'::text) AND (old.state = ANY (ARRAY['sending'::text, 'uncertain'::text])))) EXECUTE FUNCTION stop_as_asked();
CREATE TRIGGER items_changed AFTER UPDATE OF state, status, status_at, upstream_id, accepted_at, settled_at, checked_at, check_error_at, missing_reads, reason_at, due_since, recover_at, origin_id, created_by, created_at ON public.items FOR EACH ROW WHEN (((NOT (((old.state = 'queued'::text) AND (new.state = 'sending'::text)) OR ((old.state = 'sending'::text) AND (new.state = 'accepted'::text) AND (new.upstream_id IS NOT NULL)))) OR (new.status <> ''::text) OR (old.accepted_at IS NOT NULL) OR (new.origin_id IS NOT NULL))) EXECUTE FUNCTION item_changed();
CREATE TRIGGER items_group BEFORE UPDATE OF state, status ON public.items FOR EACH ROW WHEN ((((old.state <> new.state) OR (old.status <> new.status)) AND (NOT (((old.state = 'queued'::text) AND (new.state = 'sending'::text)) OR ((old.state = 'sending'::text) AND (new.state = 'accepted'::text) AND (new.status = ''::text)))))) EXECUTE FUNCTION item_grouped();
CREATE TRIGGER items_group_new BEFORE INSERT ON public.items FOR EACH ROW WHEN ((new.state <> 'draft'::text)) EXECUTE FUNCTION item_grouped();
CREATE TRIGGER items_kind BEFORE UPDATE OF kind ON public.items FOR EACH ROW WHEN ((old.kind <> new.kind)) EXECUTE FUNCTION kind_stays();
CREATE TRIGGER items_list_gone AFTER DELETE ON public.items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_list_gone();
CREATE TRIGGER items_list_new AFTER INSERT ON public.items REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_list_new();
CREATE TRIGGER items_listed_gone AFTER DELETE ON public.items REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION list_gone();
CREATE TRIGGER items_listed_new AFTER INSERT ON public.items REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION list_new();
CREATE TRIGGER items_protected_sender BEFORE UPDATE OF state ON public.items FOR EACH ROW WHEN (((old.state = 'draft'::text) AND (new.state = 'queued'::text))) EXECUTE FUNCTION protected_sender();
CREATE TRIGGER items_release_sms_parts AFTER UPDATE OF state ON public.items FOR EACH ROW WHEN (((new.kind = 'sms'::text) AND (old.state <> new.state) AND ((new.state = ANY (ARRAY['rejected'::text, 'failed'::text])) OR ((new.state = 'cancelled'::text) AND ((old.state = 'queued'::text) OR (new.stop_asked_at IS NOT NULL)))))) EXECUTE FUNCTION release_sms_parts();
CREATE TRIGGER items_stat_gone BEFORE DELETE ON public.items FOR EACH ROW WHEN ((old.state <> 'draft'::text)) EXECUTE FUNCTION stat_gone();

CREATE TABLE job_rows (
	job_id uuid NOT NULL
	"position" integer NOT NULL
	content bytea NOT NULL
	recipient_hash bytea
	phone_hash bytea
	foreign_number boolean NOT NULL DEFAULT false
	problem text NOT NULL DEFAULT ''::text
	unfit boolean NOT NULL DEFAULT false
	warned boolean NOT NULL DEFAULT false
	repeats boolean NOT NULL DEFAULT false
	look_hash bytea
	number_hash bytea
	replaces uuid
	CONSTRAINT job_rows_pkey PRIMARY KEY (job_id, "position")
);
CREATE INDEX job_rows_problem_idx ON public.job_rows USING btree (job_id, "position") WHERE ((problem <> ''::text) OR unfit);
CREATE INDEX job_rows_replaces_idx ON public.job_rows USING btree (replaces) WHERE (replaces IS NOT NULL);
CREATE INDEX job_rows_warned_idx ON public.job_rows USING btree (job_id, "position") WHERE warned;

CREATE TABLE jobs (
	id uuid NOT NULL
	account_id uuid NOT NULL
	created_by uuid NOT NULL
	created_at timestamp with time zone NOT NULL DEFAULT now()
	form_key uuid NOT NULL
	state text NOT NULL DEFAULT 'draft'::text
	mode text NOT NULL DEFAULT 'traceable'::text
	content bytea
	hide_in_report boolean NOT NULL DEFAULT false
	fingerprint bytea
	rows_read integer NOT NULL DEFAULT 0
	rows_valid integer NOT NULL DEFAULT 0
	rows_duplicate integer NOT NULL DEFAULT 0
	rows_foreign integer NOT NULL DEFAULT 0
	rows_phone integer NOT NULL DEFAULT 0
	rows_unfit integer NOT NULL DEFAULT 0
	parts bigint NOT NULL DEFAULT 0
	sent_at timestamp with time zone
	due_at timestamp with time zone
	recipients integer NOT NULL DEFAULT 0
	made integer NOT NULL DEFAULT 0
	made_to integer NOT NULL DEFAULT 0
	made_at timestamp with time zone
	stopped_at timestamp with time zone
	done_at timestamp with time zone
	restored_at timestamp with time zone
	send_at timestamp with time zone
	urgent boolean NOT NULL DEFAULT false
	template_id uuid
	template_version integer
	template_form text NOT NULL DEFAULT ''::text
	found boolean NOT NULL DEFAULT false
	rows_warned integer NOT NULL DEFAULT 0
	kind text NOT NULL DEFAULT 'sms'::text
	draft_id uuid
	looked text NOT NULL DEFAULT ''::text
	rows_left_out integer NOT NULL DEFAULT 0
	pattern bytea
	pattern_form bytea
	split_document uuid
	split_pages integer NOT NULL DEFAULT 0
	split_parts integer NOT NULL DEFAULT 0
	split_kept boolean NOT NULL DEFAULT false
	revision integer NOT NULL DEFAULT 0
	cost_print integer NOT NULL DEFAULT 0
	cost_digital integer NOT NULL DEFAULT 0
	split_by text NOT NULL DEFAULT 'pages'::text
	split_mark text NOT NULL DEFAULT ''::text
	split_left jsonb NOT NULL DEFAULT '[]'::jsonb
	slice_costs jsonb NOT NULL DEFAULT '[]'::jsonb
	cost_left bigint NOT NULL DEFAULT 0
	reference_pattern text
	reference_unit text
	changed_at timestamp with time zone NOT NULL DEFAULT now()
	halted_by uuid
	halted_at timestamp with time zone
	CONSTRAINT jobs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT jobs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
	CONSTRAINT jobs_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT jobs_form_key UNIQUE (account_id, created_by, form_key, kind)
	CONSTRAINT jobs_halted_by_fkey FOREIGN KEY (halted_by) REFERENCES users(id)
	CONSTRAINT jobs_kind_check CHECK ((kind = ANY (ARRAY['sms'::text, 'shipment'::text])))
	CONSTRAINT jobs_mode_check CHECK ((mode = ANY (ARRAY['traceable'::text, 'fast'::text])))
	CONSTRAINT jobs_pkey PRIMARY KEY (id)
	CONSTRAINT jobs_split_by_check CHECK ((split_by = ANY (ARRAY['pages'::text, 'mark'::text, 'address'::text, 'files'::text])))
	CONSTRAINT jobs_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'running'::text, 'paused'::text, 'stopped'::text, 'done'::text])))
	CONSTRAINT jobs_template_check CHECK ((((template_id IS NULL) = (template_version IS NULL)) AND (((template_id IS NULL) OR (kind = 'shipment'::text)) = (template_form = ''::text)) AND (template_form = ANY (ARRAY[''::text, 'nb'::text, 'nn'::text]))))
	CONSTRAINT jobs_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions(account_id, template_id, version)
);
CREATE INDEX jobs_active_idx ON public.jobs USING btree (account_id) WHERE (state = ANY (ARRAY['running'::text, 'paused'::text]));
CREATE UNIQUE INDEX jobs_draft_idx ON public.jobs USING btree (draft_id) WHERE (draft_id IS NOT NULL);
CREATE INDEX jobs_fingerprint_idx ON public.jobs USING btree (account_id, fingerprint, sent_at) WHERE (fingerprint IS NOT NULL);
CREATE INDEX jobs_list_idx ON public.jobs USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX jobs_making_idx ON public.jobs USING btree (sent_at) WHERE ((sent_at IS NOT NULL) AND (made_at IS NULL));
CREATE TRIGGER jobs_approval BEFORE UPDATE ON public.jobs FOR EACH ROW WHEN (((old.state = 'draft'::text) AND ((new.state <> 'draft'::text) OR (new.sent_at IS NOT NULL) OR (new.created_by <> old.created_by)))) EXECUTE FUNCTION approval_holds('job');
CREATE TRIGGER jobs_changed BEFORE UPDATE ON public.jobs FOR EACH ROW WHEN (((old.state = 'draft'::text) AND (new.changed_at = old.changed_at))) EXECUTE FUNCTION note_job_change();
CREATE TRIGGER jobs_revision BEFORE UPDATE ON public.jobs FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE TRIGGER jobs_rows_go AFTER DELETE ON public.jobs FOR EACH ROW EXECUTE FUNCTION drop_job_rows();

CREATE TABLE list_chunks (
	job_id uuid NOT NULL
	"position" integer NOT NULL
	data bytea NOT NULL STORAGE EXTERNAL
	created_at timestamp with time zone NOT NULL DEFAULT now()
	kept_at timestamp with time zone
	CONSTRAINT list_chunks_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	CONSTRAINT list_chunks_pkey PRIMARY KEY (job_id, "position")
);

CREATE TABLE list_counts (
	id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
	account_id uuid NOT NULL
	kind text NOT NULL
	list_group text NOT NULL
	n bigint NOT NULL
	CONSTRAINT list_counts_pkey PRIMARY KEY (id)
);
CREATE INDEX list_counts_account_idx ON public.list_counts USING btree (account_id) INCLUDE (kind, list_group, n);

CREATE TABLE listed (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	kind text NOT NULL
	created_at timestamp with time zone NOT NULL
	created_by uuid NOT NULL
	list_group text NOT NULL
	status text NOT NULL
	outcome text NOT NULL DEFAULT ''::text
	read_band integer
	sign_band integer
	route text NOT NULL DEFAULT ''::text
	archived boolean NOT NULL DEFAULT false
	CONSTRAINT listed_pkey PRIMARY KEY (item_id)
);
CREATE INDEX listed_creator_idx ON public.listed USING btree (account_id, kind, created_by, created_at DESC, item_id DESC);
CREATE INDEX listed_group_idx ON public.listed USING btree (account_id, kind, list_group, created_at DESC, item_id DESC);
CREATE INDEX listed_idx ON public.listed USING btree (account_id, kind, created_at DESC, item_id DESC);
CREATE INDEX listed_outcome_idx ON public.listed USING btree (account_id, kind, outcome, created_at DESC, item_id DESC) WHERE (outcome = ANY (ARRAY['open'::text, 'untracked'::text, 'rejected'::text, 'failed'::text, 'cancelled'::text]));
CREATE INDEX listed_read_idx ON public.listed USING btree (account_id, read_band, created_at DESC, item_id DESC) WHERE (read_band IS NOT NULL);
CREATE INDEX listed_route_idx ON public.listed USING btree (account_id, route, created_at DESC, item_id DESC) WHERE (kind = 'shipment'::text);
CREATE INDEX listed_sign_idx ON public.listed USING btree (account_id, sign_band, created_at DESC, item_id DESC) WHERE (sign_band IS NOT NULL);
CREATE INDEX listed_status_idx ON public.listed USING btree (account_id, kind, status, created_at DESC, item_id DESC) WHERE (status <> ''::text);
CREATE INDEX listed_unarchived_idx ON public.listed USING btree (account_id, created_at DESC, item_id DESC) WHERE ((kind = 'shipment'::text) AND (NOT archived));

CREATE TABLE looked_up (
	number_hash bytea NOT NULL
	event_id bigint NOT NULL
	at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT looked_up_pkey PRIMARY KEY (number_hash, event_id)
);
CREATE INDEX looked_up_at_idx ON public.looked_up USING brin (at);
CREATE INDEX looked_up_event_idx ON public.looked_up USING btree (event_id);

CREATE TABLE mail_choices (
	user_id uuid NOT NULL
	address bytea NOT NULL
	digest boolean NOT NULL
	alarms boolean NOT NULL
	changed_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT mail_choices_pkey PRIMARY KEY (user_id)
	CONSTRAINT mail_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE notices (
	id uuid NOT NULL
	kind text NOT NULL
	channel text NOT NULL
	user_id uuid
	alarm_id uuid
	day date
	created_at timestamp with time zone NOT NULL DEFAULT now()
	next_at timestamp with time zone NOT NULL DEFAULT now()
	until timestamp with time zone NOT NULL
	tries integer NOT NULL DEFAULT 0
	sent_at timestamp with time zone
	dropped_at timestamp with time zone
	fault text NOT NULL DEFAULT ''::text
	account_id uuid
	CONSTRAINT notices_account_check CHECK (((channel = 'account'::text) = (account_id IS NOT NULL)))
	CONSTRAINT notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT notices_alarm_id_fkey FOREIGN KEY (alarm_id) REFERENCES alarms(id) ON DELETE CASCADE
	CONSTRAINT notices_channel_check CHECK ((channel = ANY (ARRAY['person'::text, 'operators'::text, 'webhook'::text, 'account'::text])))
	CONSTRAINT notices_kind_check CHECK ((kind = ANY (ARRAY['digest'::text, 'alarm'::text, 'over'::text, 'trial'::text])))
	CONSTRAINT notices_person_check CHECK (((channel = 'person'::text) = (user_id IS NOT NULL)))
	CONSTRAINT notices_pkey PRIMARY KEY (id)
	CONSTRAINT notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notices_account_idx ON public.notices USING btree (account_id, created_at) WHERE (account_id IS NOT NULL);
CREATE INDEX notices_alarm_idx ON public.notices USING btree (alarm_id) WHERE (alarm_id IS NOT NULL);
CREATE INDEX notices_created_idx ON public.notices USING btree (created_at);
CREATE INDEX notices_due_idx ON public.notices USING btree (next_at) WHERE ((sent_at IS NULL) AND (dropped_at IS NULL));
CREATE UNIQUE INDEX notices_once_key ON public.notices USING btree (kind, channel, user_id, alarm_id, day, account_id) NULLS NOT DISTINCT WHERE (kind <> 'trial'::text);
CREATE INDEX notices_user_idx ON public.notices USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE TABLE part_looks (
	job_id uuid NOT NULL
	look_hash bytea NOT NULL
	user_id uuid NOT NULL
	looked_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT part_looks_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	CONSTRAINT part_looks_pkey PRIMARY KEY (job_id, look_hash)
	CONSTRAINT part_looks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE protected_looks (
	id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
	account_id uuid NOT NULL
	person_id uuid NOT NULL
	user_id uuid NOT NULL
	item_id uuid NOT NULL
	at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT protected_looks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT protected_looks_person_id_fkey FOREIGN KEY (person_id) REFERENCES protected_people(id) ON DELETE CASCADE
	CONSTRAINT protected_looks_pkey PRIMARY KEY (id)
	CONSTRAINT protected_looks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX protected_looks_account_idx ON public.protected_looks USING btree (account_id, at DESC, id DESC);
CREATE INDEX protected_looks_at_idx ON public.protected_looks USING btree (at);
CREATE INDEX protected_looks_person_idx ON public.protected_looks USING btree (person_id);
CREATE INDEX protected_looks_user_idx ON public.protected_looks USING btree (user_id);

CREATE TABLE protected_numbers (
	account_id uuid NOT NULL
	number_hash bytea NOT NULL
	person_id uuid NOT NULL
	CONSTRAINT protected_numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT protected_numbers_person_id_fkey FOREIGN KEY (person_id) REFERENCES protected_people(id) ON DELETE CASCADE
	CONSTRAINT protected_numbers_pkey PRIMARY KEY (account_id, number_hash)
);
CREATE INDEX protected_numbers_person_idx ON public.protected_numbers USING btree (person_id);

CREATE TABLE protected_people (
	id uuid NOT NULL
	account_id uuid NOT NULL
	numbers bytea NOT NULL
	set_by uuid NOT NULL
	set_at timestamp with time zone NOT NULL DEFAULT now()
	ended_at timestamp with time zone
	CONSTRAINT protected_people_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT protected_people_pkey PRIMARY KEY (id)
	CONSTRAINT protected_people_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id)
);
CREATE INDEX protected_people_account_idx ON public.protected_people USING btree (account_id) WHERE (ended_at IS NULL);

CREATE TABLE protected_viewers (
	person_id uuid NOT NULL
	user_id uuid NOT NULL
	CONSTRAINT protected_viewers_person_id_fkey FOREIGN KEY (person_id) REFERENCES protected_people(id) ON DELETE CASCADE
	CONSTRAINT protected_viewers_pkey PRIMARY KEY (person_id, user_id)
	CONSTRAINT protected_viewers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX protected_viewers_user_idx ON public.protected_viewers USING btree (user_id);

CREATE TABLE purges (
	night date NOT NULL
	started_at timestamp with time zone NOT NULL
	ended_at timestamp with time zone
	counts jsonb NOT NULL DEFAULT '{}'::jsonb
	CONSTRAINT purges_pkey PRIMARY KEY (night)
);

CREATE TABLE reconciled_items (
	reconciliation_id uuid NOT NULL
	item_id uuid NOT NULL
	question text NOT NULL
	integration_id uuid NOT NULL
	service_id text NOT NULL
	finding text NOT NULL DEFAULT ''::text
	strangers text[] NOT NULL DEFAULT '{}'::text[]
	reason_key text NOT NULL DEFAULT ''::text
	reason_error_id text NOT NULL DEFAULT ''::text
	CONSTRAINT reconciled_items_pkey PRIMARY KEY (reconciliation_id, item_id, question)
	CONSTRAINT reconciled_items_question_check CHECK ((question = ANY (ARRAY['status'::text, 'reserved'::text, 'reference'::text])))
	CONSTRAINT reconciled_items_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id) ON DELETE CASCADE
);
CREATE INDEX reconciled_items_waiting_idx ON public.reconciled_items USING btree (reconciliation_id, integration_id, service_id, question) WHERE (finding = ''::text);

CREATE TABLE reconciliations (
	id uuid NOT NULL
	account_id uuid NOT NULL
	ordered_by uuid NOT NULL
	ordered_at timestamp with time zone NOT NULL DEFAULT now()
	attempt integer NOT NULL DEFAULT 0
	lease_until timestamp with time zone
	gathered_at timestamp with time zone
	cut boolean NOT NULL DEFAULT false
	agreed integer NOT NULL DEFAULT 0
	behind integer NOT NULL DEFAULT 0
	done_at timestamp with time zone
	CONSTRAINT reconciliations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT reconciliations_ordered_by_fkey FOREIGN KEY (ordered_by) REFERENCES users(id)
	CONSTRAINT reconciliations_pkey PRIMARY KEY (id)
);
CREATE INDEX reconciliations_account_idx ON public.reconciliations USING btree (account_id, ordered_at DESC);
CREATE UNIQUE INDEX reconciliations_open_key ON public.reconciliations USING btree (account_id) WHERE (done_at IS NULL);

CREATE TABLE reference_numbers (
	account_id uuid NOT NULL
	year integer NOT NULL
	last bigint NOT NULL
	CONSTRAINT reference_numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT reference_numbers_pkey PRIMARY KEY (account_id, year)
);

CREATE TABLE retention (
	keeping text NOT NULL
	days integer NOT NULL
	changed_at timestamp with time zone NOT NULL DEFAULT now()
	changed_by uuid NOT NULL
	CONSTRAINT retention_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id)
	CONSTRAINT retention_days_check CHECK ((days > 0))
	CONSTRAINT retention_pkey PRIMARY KEY (keeping)
);

CREATE TABLE rights_version (
	one boolean NOT NULL DEFAULT true
	version uuid NOT NULL DEFAULT gen_random_uuid()
	CONSTRAINT rights_version_one_check CHECK (one)
	CONSTRAINT rights_version_pkey PRIMARY KEY (one)
);

CREATE TABLE role_mappings (
	claim_value text NOT NULL
	account_id uuid
	role text NOT NULL
	created_at timestamp with time zone NOT NULL DEFAULT now()
	id uuid NOT NULL DEFAULT gen_random_uuid()
	CONSTRAINT role_mappings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT role_mappings_id_key UNIQUE (id)
	CONSTRAINT role_mappings_key UNIQUE NULLS NOT DISTINCT (claim_value, account_id, role)
	CONSTRAINT role_mappings_rights TRIGGER DEFERRABLE INITIALLY DEFERRED
	CONSTRAINT role_mappings_role_check CHECK ((role = ANY (ARRAY['caseworker'::text, 'team_lead'::text, 'approver'::text, 'account_admin'::text, 'system_admin'::text, 'auditor'::text])))
	CONSTRAINT role_mappings_scope_check CHECK ((((role <> 'system_admin'::text) OR (account_id IS NULL)) AND ((account_id IS NOT NULL) OR (role = ANY (ARRAY['system_admin'::text, 'auditor'::text])))))
);
CREATE CONSTRAINT TRIGGER role_mappings_rights AFTER INSERT OR DELETE OR UPDATE ON public.role_mappings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_rights_version();

CREATE TABLE row_contacts (
	job_id uuid NOT NULL
	"position" integer NOT NULL
	recipient_hash bytea NOT NULL
	answer text NOT NULL
	asked_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT row_contacts_answer_check CHECK ((answer = ANY (ARRAY['valid'::text, 'invalid'::text, 'not_found'::text, 'other'::text])))
	CONSTRAINT row_contacts_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	CONSTRAINT row_contacts_pkey PRIMARY KEY (job_id, "position")
);
CREATE INDEX row_contacts_asked_idx ON public.row_contacts USING btree (asked_at);

CREATE TABLE saved_filters (
	id uuid NOT NULL
	account_id uuid NOT NULL
	user_id uuid NOT NULL
	name text NOT NULL
	query text NOT NULL
	created_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT saved_filters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT saved_filters_pkey PRIMARY KEY (id)
	CONSTRAINT saved_filters_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_filters_name_key ON public.saved_filters USING btree (account_id, user_id, lower(name));

CREATE TABLE searches (
	id uuid NOT NULL
	account_id uuid NOT NULL
	user_id uuid NOT NULL
	content bytea NOT NULL
	expires_at timestamp with time zone NOT NULL
	CONSTRAINT searches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT searches_pkey PRIMARY KEY (id)
	CONSTRAINT searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX searches_expires_idx ON public.searches USING btree (expires_at);
CREATE INDEX searches_user_idx ON public.searches USING btree (user_id, expires_at DESC, id);

CREATE TABLE service_reports (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	source text NOT NULL
	report bytea
	read_at timestamp with time zone
	error_key text NOT NULL DEFAULT ''::text
	error_status integer NOT NULL DEFAULT 0
	error_id text NOT NULL DEFAULT ''::text
	error_at timestamp with time zone
	CONSTRAINT service_reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT service_reports_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT service_reports_pkey PRIMARY KEY (item_id, source)
	CONSTRAINT service_reports_source_check CHECK ((source = ANY (ARRAY['history'::text, 'signing'::text, 'documents'::text])))
);

CREATE TABLE session_lookups (
	token_hash text NOT NULL
	account_id uuid NOT NULL
	data bytea NOT NULL
	expires_at timestamp with time zone NOT NULL
	CONSTRAINT session_lookups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT session_lookups_pkey PRIMARY KEY (token_hash, account_id)
	CONSTRAINT session_lookups_token_hash_fkey FOREIGN KEY (token_hash) REFERENCES sessions(token_hash) ON DELETE CASCADE
);
CREATE INDEX session_lookups_expires_idx ON public.session_lookups USING btree (expires_at);

CREATE TABLE sessions (
	token_hash text NOT NULL
	data bytea NOT NULL
	expires_at timestamp with time zone NOT NULL
	sid_hash bytea
	CONSTRAINT sessions_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX sessions_expires_idx ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_sid_idx ON public.sessions USING btree (sid_hash) WHERE (sid_hash IS NOT NULL);

CREATE TABLE set_aside (
	queue text NOT NULL
	key text NOT NULL
	account_id uuid
	tries integer NOT NULL DEFAULT 1
	cause text NOT NULL
	first_at timestamp with time zone NOT NULL DEFAULT now()
	last_at timestamp with time zone NOT NULL DEFAULT now()
	next_at timestamp with time zone NOT NULL
	CONSTRAINT set_aside_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT set_aside_pkey PRIMARY KEY (queue, key)
);
CREATE INDEX set_aside_account_idx ON public.set_aside USING btree (account_id);

CREATE TABLE shipment_usage (
	id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
	account_id uuid NOT NULL
	month date NOT NULL
	ore bigint NOT NULL
	CONSTRAINT shipment_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT shipment_usage_pkey PRIMARY KEY (id)
);
CREATE INDEX shipment_usage_month_idx ON public.shipment_usage USING btree (account_id, month) INCLUDE (ore);

CREATE TABLE shipments (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	version integer NOT NULL DEFAULT 1
	title text NOT NULL DEFAULT ''::text
	recipient_name text NOT NULL DEFAULT ''::text
	source_system text NOT NULL DEFAULT ''::text
	billing_code text NOT NULL DEFAULT ''::text
	external_reference text NOT NULL DEFAULT ''::text
	digital_only boolean NOT NULL DEFAULT false
	number_hash bytea
	form bytea NOT NULL
	content bytea
	sign_by timestamp with time zone
	signing_status text NOT NULL DEFAULT ''::text
	signing_at timestamp with time zone
	send_at timestamp with time zone
	fault bytea
	copy_of uuid
	handed_by uuid
	handed_at timestamp with time zone
	handed_version integer
	service_status_at timestamp with time zone
	deleted_documents text NOT NULL DEFAULT ''::text
	template_id uuid
	template_version integer
	created_at timestamp with time zone NOT NULL DEFAULT now()
	shipment_type text NOT NULL DEFAULT ''::text
	words text NOT NULL DEFAULT ''::text
	changed_at timestamp with time zone NOT NULL DEFAULT now()
	correlation_id text NOT NULL DEFAULT ''::text
	cost_print integer NOT NULL DEFAULT 0
	cost_digital integer NOT NULL DEFAULT 0
	cost_month date
	protected_id uuid
	saved_by uuid
	saved_number integer NOT NULL DEFAULT 0
	saved_version integer NOT NULL DEFAULT 0
	CONSTRAINT shipments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT shipments_copy_of_fkey FOREIGN KEY (copy_of) REFERENCES items(id) ON DELETE SET NULL
	CONSTRAINT shipments_deleted_documents_check CHECK ((deleted_documents = ANY (ARRAY[''::text, 'originals'::text, 'all'::text])))
	CONSTRAINT shipments_handed_by_fkey FOREIGN KEY (handed_by) REFERENCES users(id)
	CONSTRAINT shipments_handed_check CHECK ((((handed_by IS NULL) = (handed_at IS NULL)) AND ((handed_by IS NULL) = (handed_version IS NULL))))
	CONSTRAINT shipments_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT shipments_pkey PRIMARY KEY (item_id)
	CONSTRAINT shipments_template_check CHECK (((template_id IS NULL) = (template_version IS NULL)))
	CONSTRAINT shipments_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions(account_id, template_id, version)
);
CREATE INDEX shipments_billing_idx ON public.shipments USING btree (account_id, billing_code, created_at DESC, item_id DESC) WHERE (billing_code <> ''::text);
CREATE INDEX shipments_copy_idx ON public.shipments USING btree (copy_of) WHERE (copy_of IS NOT NULL);
CREATE INDEX shipments_correlation_idx ON public.shipments USING btree (account_id, correlation_id) WHERE (correlation_id <> ''::text);
CREATE INDEX shipments_deadline_idx ON public.shipments USING btree (signing_status, sign_by) WHERE (sign_by IS NOT NULL);
CREATE INDEX shipments_external_idx ON public.shipments USING btree (account_id, (
CASE
    WHEN (protected_id IS NULL) THEN translate(lower("left"(external_reference, 60)), 'ÆØÅÄÖæøåäöÀÁÂÉÈÊÓÒÔÜàáâéèêóòôü'::text, '{|}{|{|}{|aaaeeeoooyaaaeeeoooy'::text)
    ELSE ''::text
END) COLLATE "C", item_id);
CREATE INDEX shipments_handed_idx ON public.shipments USING btree (account_id, handed_by) WHERE (handed_by IS NOT NULL);
CREATE INDEX shipments_list_idx ON public.shipments USING btree (account_id, created_at DESC, item_id DESC) WHERE (words <> ''::text);
CREATE INDEX shipments_number_idx ON public.shipments USING btree (account_id, number_hash) WHERE (number_hash IS NOT NULL);
CREATE INDEX shipments_protected_idx ON public.shipments USING btree (protected_id) WHERE (protected_id IS NOT NULL);
CREATE INDEX shipments_recipient_idx ON public.shipments USING btree (account_id, (
CASE
    WHEN (protected_id IS NULL) THEN translate(lower("left"(recipient_name, 60)), 'ÆØÅÄÖæøåäöÀÁÂÉÈÊÓÒÔÜàáâéèêóòôü'::text, '{|}{|{|}{|aaaeeeoooyaaaeeeoooy'::text)
    ELSE ''::text
END) COLLATE "C", item_id);
CREATE INDEX shipments_reference_idx ON public.shipments USING btree (account_id, external_reference) WHERE (external_reference <> ''::text);
CREATE INDEX shipments_signing_idx ON public.shipments USING btree (account_id, signing_status, created_at DESC, item_id DESC) WHERE (sign_by IS NOT NULL);
CREATE INDEX shipments_template_idx ON public.shipments USING btree (account_id, template_id, created_at DESC, item_id DESC) WHERE (template_id IS NOT NULL);
CREATE INDEX shipments_title_idx ON public.shipments USING btree (account_id, (
CASE
    WHEN (protected_id IS NULL) THEN translate(lower("left"(title, 60)), 'ÆØÅÄÖæøåäöÀÁÂÉÈÊÓÒÔÜàáâéèêóòôü'::text, '{|}{|{|}{|aaaeeeoooyaaaeeeoooy'::text)
    ELSE ''::text
END) COLLATE "C", item_id);
CREATE INDEX shipments_type_idx ON public.shipments USING btree (account_id, shipment_type, created_at DESC, item_id DESC) WHERE (shipment_type <> ''::text);
CREATE INDEX shipments_words_idx ON public.shipments USING gin (account_id, words gin_trgm_ops) WITH (gin_pending_list_limit='1024') WHERE (words <> ''::text);
CREATE TRIGGER shipments_changed_cost AFTER UPDATE OF cost_month, cost_print, cost_digital ON public.shipments FOR EACH ROW WHEN ((((old.cost_month IS DISTINCT FROM new.cost_month) OR (old.cost_print IS DISTINCT FROM new.cost_print)) OR (old.cost_digital IS DISTINCT FROM new.cost_digital))) EXECUTE FUNCTION shipments_changed_cost();
CREATE TRIGGER shipments_follow AFTER INSERT ON public.shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_new();
CREATE TRIGGER shipments_follow_signing AFTER UPDATE ON public.shipments FOR EACH ROW WHEN ((((old.signing_status IS DISTINCT FROM new.signing_status) OR (old.sign_by IS DISTINCT FROM new.sign_by)) OR (old.digital_only IS DISTINCT FROM new.digital_only))) EXECUTE FUNCTION follow_signing();
CREATE TRIGGER shipments_kind AFTER INSERT ON public.shipments REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION kind_holds('shipment');
CREATE TRIGGER shipments_listed_new AFTER INSERT ON public.shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION list_signed_new();
CREATE TRIGGER shipments_listed_signed AFTER UPDATE ON public.shipments FOR EACH ROW WHEN (((old.signing_status IS DISTINCT FROM new.signing_status) OR (old.signing_at IS DISTINCT FROM new.signing_at))) EXECUTE FUNCTION list_signed();
CREATE TRIGGER shipments_made_cost AFTER INSERT ON public.shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION shipments_made_cost();
CREATE TRIGGER shipments_protected BEFORE INSERT OR UPDATE OF number_hash ON public.shipments FOR EACH ROW EXECUTE FUNCTION protected_shipment();
CREATE TRIGGER shipments_stat AFTER INSERT ON public.shipments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION stat_new();
CREATE TRIGGER shipments_stat_content AFTER UPDATE ON public.shipments FOR EACH ROW WHEN ((((old.billing_code IS DISTINCT FROM new.billing_code) OR (old.signing_status IS DISTINCT FROM new.signing_status)) OR (old.signing_at IS DISTINCT FROM new.signing_at))) EXECUTE FUNCTION stat_content();
CREATE TRIGGER shipments_words BEFORE INSERT OR UPDATE OF content, recipient_name, title, external_reference, correlation_id, words ON public.shipments FOR EACH ROW EXECUTE FUNCTION shipment_words();

CREATE TABLE siem_cursor (
	one boolean NOT NULL DEFAULT true
	"position" bigint NOT NULL DEFAULT 0
	sent_at timestamp with time zone
	fault text NOT NULL DEFAULT ''::text
	tries integer NOT NULL DEFAULT 0
	next_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
	lease_token uuid
	lease_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
	CONSTRAINT siem_cursor_one_check CHECK (one)
	CONSTRAINT siem_cursor_pkey PRIMARY KEY (one)
);

CREATE TABLE sign_ins (
	id uuid NOT NULL
	user_id uuid NOT NULL
	session_hash text NOT NULL
	claims text[] NOT NULL DEFAULT '{}'::text[]
	origin text NOT NULL DEFAULT ''::text
	browser text NOT NULL DEFAULT ''::text
	started_at timestamp with time zone NOT NULL
	seen_at timestamp with time zone NOT NULL
	ended_at timestamp with time zone
	ended_how text NOT NULL DEFAULT ''::text
	CONSTRAINT sign_ins_how_check CHECK ((ended_how = ANY (ARRAY[''::text, 'logout'::text, 'provider'::text, 'idle'::text, 'expired'::text, 'rights'::text, 'elsewhere'::text, 'again'::text])))
	CONSTRAINT sign_ins_pkey PRIMARY KEY (id)
	CONSTRAINT sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sign_ins_session_idx ON public.sign_ins USING btree (session_hash) WHERE (ended_at IS NULL);
CREATE INDEX sign_ins_user_idx ON public.sign_ins USING btree (user_id, started_at DESC);

CREATE TABLE signing_statuses (
	status text NOT NULL
	awaited boolean NOT NULL
	settled boolean NOT NULL
	signed boolean NOT NULL
	CONSTRAINT signing_statuses_pkey PRIMARY KEY (status)
);

CREATE TABLE sms (
	item_id uuid NOT NULL
	account_id uuid NOT NULL
	by_phone boolean NOT NULL
	recipient bytea
	recipient_hash bytea NOT NULL
	last_three_hash bytea
	text bytea
	hide_in_report boolean NOT NULL
	encoding text NOT NULL
	parts integer NOT NULL
	template_id uuid
	template_version integer
	template_form text NOT NULL DEFAULT ''::text
	send_at timestamp with time zone
	urgent boolean NOT NULL DEFAULT false
	counted_month date
	created_at timestamp with time zone NOT NULL DEFAULT now()
	revision integer NOT NULL DEFAULT 0
	protected_id uuid
	CONSTRAINT sms_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT sms_encoding_check CHECK ((encoding = ANY (ARRAY['GSM-7'::text, 'UCS-2'::text])))
	CONSTRAINT sms_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT sms_pkey PRIMARY KEY (item_id)
	CONSTRAINT sms_template_check CHECK ((((template_id IS NULL) = (template_version IS NULL)) AND ((template_id IS NULL) = (template_form = ''::text)) AND (template_form = ANY (ARRAY[''::text, 'nb'::text, 'nn'::text]))))
	CONSTRAINT sms_template_fkey FOREIGN KEY (account_id, template_id, template_version) REFERENCES template_versions(account_id, template_id, version)
);
CREATE INDEX sms_last_three_idx ON public.sms USING btree (account_id, last_three_hash);
CREATE INDEX sms_protected_idx ON public.sms USING btree (protected_id) WHERE (protected_id IS NOT NULL);
CREATE INDEX sms_recipient_idx ON public.sms USING btree (account_id, recipient_hash);
CREATE INDEX sms_template_list_idx ON public.sms USING btree (account_id, template_id, created_at DESC, item_id DESC) WHERE (template_id IS NOT NULL);
CREATE TRIGGER sms_follow AFTER INSERT ON public.sms REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION follow_new();
CREATE TRIGGER sms_kind AFTER INSERT ON public.sms REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION kind_holds('sms');
CREATE TRIGGER sms_protected BEFORE INSERT OR UPDATE OF recipient_hash ON public.sms FOR EACH ROW EXECUTE FUNCTION protected_sms();
CREATE TRIGGER sms_revision BEFORE UPDATE ON public.sms FOR EACH ROW EXECUTE FUNCTION count_revision();
CREATE TRIGGER sms_stat AFTER INSERT ON public.sms REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION stat_new();

CREATE TABLE sms_usage (
	id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
	account_id uuid NOT NULL
	month date NOT NULL
	parts bigint NOT NULL
	CONSTRAINT sms_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	CONSTRAINT sms_usage_pkey PRIMARY KEY (id)
);
CREATE INDEX sms_usage_month_idx ON public.sms_usage USING btree (account_id, month) INCLUDE (parts);

CREATE TABLE stat_changes (
	id bigint NOT NULL GENERATED ALWAYS AS IDENTITY
	account_id uuid NOT NULL
	day date NOT NULL
	kind text NOT NULL
	outcome text NOT NULL
	sender uuid NOT NULL
	template_id uuid
	billing_code text NOT NULL
	read_band integer
	sign_band integer
	n bigint NOT NULL
	parts bigint NOT NULL
	hour integer
	CONSTRAINT stat_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX stat_changes_account_idx ON public.stat_changes USING btree (account_id, day);

CREATE TABLE stats (
	account_id uuid NOT NULL
	day date NOT NULL
	kind text NOT NULL
	dimension text NOT NULL
	value text NOT NULL
	n bigint NOT NULL
	arrived bigint NOT NULL
	stopped bigint NOT NULL
	parts bigint NOT NULL
	CONSTRAINT stats_pkey PRIMARY KEY (account_id, day, dimension, kind, value)
) WITH (fillfactor=80);

CREATE TABLE statuses (
	kind text NOT NULL
	status text NOT NULL
	list_group text NOT NULL
	job_group text NOT NULL
	route text NOT NULL
	ended boolean NOT NULL
	bad boolean NOT NULL
	unread boolean NOT NULL
	read boolean NOT NULL
	CONSTRAINT statuses_pkey PRIMARY KEY (kind, status)
);

CREATE TABLE stray_objects (
	object text NOT NULL
	noticed_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT stray_objects_pkey PRIMARY KEY (object)
);

CREATE TABLE template_versions (
	account_id uuid NOT NULL
	template_id uuid NOT NULL
	version integer NOT NULL
	name text NOT NULL
	text text NOT NULL
	nynorsk text NOT NULL DEFAULT ''::text
	restored_from integer
	created_at timestamp with time zone NOT NULL DEFAULT now()
	created_by uuid NOT NULL
	choices bytea
	CONSTRAINT template_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
	CONSTRAINT template_versions_pkey PRIMARY KEY (account_id, template_id, version)
	CONSTRAINT template_versions_template_fkey FOREIGN KEY (account_id, template_id) REFERENCES templates(account_id, id)
);

CREATE TABLE templates (
	id uuid NOT NULL
	account_id uuid NOT NULL
	name text NOT NULL
	version integer NOT NULL DEFAULT 1
	created_at timestamp with time zone NOT NULL DEFAULT now()
	archived_at timestamp with time zone
	archived_by uuid
	kind text NOT NULL DEFAULT 'sms'::text
	needs_approval boolean NOT NULL DEFAULT false
	CONSTRAINT templates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT templates_account_key UNIQUE (account_id, id)
	CONSTRAINT templates_archived_by_fkey FOREIGN KEY (archived_by) REFERENCES users(id)
	CONSTRAINT templates_kind_check CHECK ((kind = ANY (ARRAY['sms'::text, 'shipment'::text])))
	CONSTRAINT templates_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX templates_name_key ON public.templates USING btree (account_id, lower(name)) WHERE (archived_at IS NULL);
CREATE TRIGGER templates_approval BEFORE UPDATE OF version ON public.templates FOR EACH ROW WHEN ((old.version <> new.version)) EXECUTE FUNCTION approval_holds('template');

CREATE TABLE themes (
	one boolean NOT NULL DEFAULT true
	name text NOT NULL DEFAULT ''::text
	light text NOT NULL DEFAULT ''::text
	dark text NOT NULL DEFAULT ''::text
	logo bytea
	version integer NOT NULL DEFAULT 1
	changed_by uuid NOT NULL
	changed_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT themes_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id)
	CONSTRAINT themes_dark_check CHECK ((dark ~ '^(#[0-9a-f]{6})?$'::text))
	CONSTRAINT themes_light_check CHECK ((light ~ '^(#[0-9a-f]{6})?$'::text))
	CONSTRAINT themes_one_check CHECK (one)
	CONSTRAINT themes_pkey PRIMARY KEY (one)
);

CREATE TABLE unfinished_forms (
	account_id uuid NOT NULL
	user_id uuid NOT NULL
	id uuid NOT NULL
	item_id uuid
	job_id uuid
	seen text NOT NULL
	fields bytea NOT NULL
	version integer NOT NULL DEFAULT 1
	saved_at timestamp with time zone NOT NULL DEFAULT now()
	CONSTRAINT unfinished_forms_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
	CONSTRAINT unfinished_forms_item_id_fkey FOREIGN KEY (item_id) REFERENCES items(id) ON DELETE CASCADE
	CONSTRAINT unfinished_forms_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	CONSTRAINT unfinished_forms_of_check CHECK ((((item_id IS NULL) AND (job_id IS NULL) AND (seen = ''::text)) OR ((seen <> ''::text) AND ((item_id = id) IS DISTINCT FROM (job_id = id)) AND (COALESCE(item_id, job_id) = id))))
	CONSTRAINT unfinished_forms_pkey PRIMARY KEY (account_id, user_id, id)
	CONSTRAINT unfinished_forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX unfinished_forms_item_idx ON public.unfinished_forms USING btree (item_id) WHERE (item_id IS NOT NULL);
CREATE INDEX unfinished_forms_job_idx ON public.unfinished_forms USING btree (job_id) WHERE (job_id IS NOT NULL);
CREATE INDEX unfinished_forms_saved_idx ON public.unfinished_forms USING btree (saved_at);

CREATE TABLE users (
	id uuid NOT NULL
	issuer text NOT NULL
	subject text NOT NULL
	name text NOT NULL
	created_at timestamp with time zone NOT NULL DEFAULT now()
	last_login_at timestamp with time zone NOT NULL DEFAULT now()
	language text NOT NULL DEFAULT ''::text
	list_view text NOT NULL DEFAULT ''::text
	CONSTRAINT users_issuer_subject_key UNIQUE (issuer, subject)
	CONSTRAINT users_pkey PRIMARY KEY (id)
);

CREATE TABLE workers (
	id uuid NOT NULL
	started_at timestamp with time zone NOT NULL DEFAULT now()
	seen_at timestamp with time zone NOT NULL DEFAULT now()
	beat bigint NOT NULL DEFAULT 0
	vouches text NOT NULL DEFAULT ''::text
	CONSTRAINT workers_pkey PRIMARY KEY (id)
);

CREATE VIEW shipment_costs AS
 SELECT h.item_id,
    h.account_id,
    h.cost_month AS month,
    shipment_cost(it.state, r.route, h.cost_print, h.cost_digital) AS ore
   FROM shipments h
     JOIN items it ON it.id = h.item_id
     LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status
  WHERE h.cost_month IS NOT NULL;

CREATE VIEW stat_all AS
 SELECT stats.account_id,
    stats.day,
    stats.kind,
    stats.dimension,
    stats.value,
    stats.n,
    stats.arrived,
    stats.stopped,
    stats.parts
   FROM stats
UNION ALL
 SELECT stat_news.account_id,
    stat_news.day,
    stat_news.kind,
    stat_news.dimension,
    stat_news.value,
    stat_news.n,
    stat_news.arrived,
    stat_news.stopped,
    stat_news.parts
   FROM stat_news;

CREATE VIEW stat_facts AS
 SELECT it.id AS item_id,
    it.account_id,
    (it.created_at AT TIME ZONE 'Europe/Oslo'::text)::date AS day,
    it.kind,
    stat_outcome(it.state, it.status, it.upstream_id) AS outcome,
    it.created_by AS sender,
    COALESCE(m.template_id, h.template_id) AS template_id,
    COALESCE(h.billing_code, ''::text) AS billing_code,
        CASE
            WHEN it.state = 'accepted'::text AND r.read THEN stat_band(it.status_at - it.accepted_at)
            ELSE NULL::integer
        END AS read_band,
        CASE
            WHEN it.state = 'accepted'::text AND r.read THEN stat_hour(it.accepted_at)
            ELSE NULL::integer
        END AS hour,
        CASE
            WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at)
            ELSE NULL::integer
        END AS sign_band,
    COALESCE(m.parts, 0)::bigint AS parts
   FROM items it
     LEFT JOIN sms m ON m.item_id = it.id
     LEFT JOIN shipments h ON h.item_id = it.id
     LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status
     LEFT JOIN signing_statuses g ON g.status = h.signing_status
  WHERE it.state <> 'draft'::text AND (m.item_id IS NOT NULL OR h.item_id IS NOT NULL);

CREATE VIEW stat_news AS
 SELECT c.account_id,
    c.day,
    c.kind,
    d.dimension,
    d.value,
    c.n,
        CASE
            WHEN r.list_group = 'arrived'::text THEN c.n
            ELSE 0::bigint
        END AS arrived,
        CASE
            WHEN r.list_group = 'stopped'::text THEN c.n
            ELSE 0::bigint
        END AS stopped,
    c.parts
   FROM stat_changes c
     LEFT JOIN statuses r ON r.kind = c.kind AND r.status = c.outcome
     CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.hour, c.sign_band) d(dimension, value);

CREATE OR REPLACE FUNCTION public.add_shipment_usage(account uuid, of_month date, spent bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE added bigint;
BEGIN
    IF of_month IS NULL OR spent = 0 THEN
        RETURN;
    END IF;
    INSERT INTO shipment_usage (account_id, month, ore) VALUES (account, of_month, spent) RETURNING id INTO added;
    IF added % 64 = 0 THEN
        WITH free AS (
            SELECT id FROM shipment_usage WHERE account_id = account AND month = of_month FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM shipment_usage u USING free WHERE u.id = free.id RETURNING u.ore
        )
        INSERT INTO shipment_usage (account_id, month, ore) SELECT account, of_month, sum(ore) FROM gone HAVING count(*) > 0;
    END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.alarm_condition_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE alarms SET passed_at = now()
    WHERE key = TG_ARGV[0] || '/' || CASE WHEN TG_NARGS > 1 THEN to_jsonb(NEW) ->> TG_ARGV[1] ELSE '' END || '/' AND ended_at IS NULL;
    RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.approval_asked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF NEW.item_id IS NOT NULL THEN
        PERFORM FROM items WHERE id = NEW.item_id AND account_id = NEW.account_id AND created_by = NEW.asked_by AND state = 'draft' FOR UPDATE;
    ELSIF NEW.template_id IS NOT NULL THEN
        PERFORM FROM templates WHERE id = NEW.template_id AND account_id = NEW.account_id AND archived_at IS NULL FOR UPDATE;
        PERFORM FROM templates t JOIN template_versions v ON v.account_id = t.account_id AND v.template_id = t.id
        WHERE t.id = NEW.template_id AND t.account_id = NEW.account_id AND t.archived_at IS NULL AND v.version > t.version
          AND v.version::text = NEW.seen AND v.created_by = NEW.asked_by;
    ELSE
        PERFORM FROM jobs WHERE id = NEW.job_id AND account_id = NEW.account_id AND created_by = NEW.asked_by AND state = 'draft' FOR UPDATE;
    END IF;
    IF NOT FOUND OR NEW.state <> 'waiting' THEN
        RAISE EXCEPTION 'only what is of who asks can wait for approval' USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_draft';
    END IF;
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.approval_decided()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION 'the approval is decided' USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_once';
END $function$;

CREATE OR REPLACE FUNCTION public.approval_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF EXISTS (SELECT FROM approvals a WHERE a.state = 'waiting' AND CASE TG_ARGV[0]
        WHEN 'job' THEN a.job_id = NEW.id
        WHEN 'template' THEN a.template_id = NEW.id
        ELSE a.item_id = NEW.id OR a.job_id IN (SELECT j.id FROM jobs j WHERE j.draft_id = NEW.id) END) THEN
        RAISE EXCEPTION 'it waits for approval' USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_hold';
    END IF;
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.change_rights_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE rights_version SET version = gen_random_uuid();
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_list_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account_id, kind, list_group, -count(*) FROM gone WHERE list_group <> 'draft' GROUP BY 1, 2, 3;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_list_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account_id, kind, list_group, count(*) FROM fresh WHERE list_group <> 'draft' GROUP BY 1, 2, 3;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.count_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF current_setting('utsending.resealing', true) IS DISTINCT FROM 'on' THEN
        NEW.revision := OLD.revision + 1;
    END IF;
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.drop_job_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM job_rows WHERE job_id = OLD.id;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.fold_list_counts(account uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
    WITH free AS (
        SELECT id FROM list_counts WHERE account_id = account FOR UPDATE SKIP LOCKED
    ), gone AS (
        DELETE FROM list_counts c USING free WHERE c.id = free.id RETURNING c.kind, c.list_group, c.n
    )
    INSERT INTO list_counts (account_id, kind, list_group, n)
    SELECT account, kind, list_group, sum(n) FROM gone GROUP BY 2, 3 HAVING sum(n) <> 0
$function$;

CREATE OR REPLACE FUNCTION public.fold_stats(most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('fold_stats')) THEN
        RETURN 0;
    END IF;
    RETURN fold_stats_of(ARRAY(SELECT id FROM stat_changes ORDER BY id LIMIT most FOR UPDATE SKIP LOCKED));
END $function$;

CREATE OR REPLACE FUNCTION public.fold_stats_of(changes bigint[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE taken integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('fold_stats'));
    WITH gone AS (
        DELETE FROM stat_changes WHERE id = ANY(changes) RETURNING *
    ), sums AS (
        SELECT c.account_id, c.day, c.kind, d.dimension, d.value, sum(c.n) AS n, coalesce(sum(c.n) FILTER (WHERE r.list_group = 'arrived'), 0) AS arrived,
               coalesce(sum(c.n) FILTER (WHERE r.list_group = 'stopped'), 0) AS stopped, sum(c.parts) AS parts
        FROM gone c LEFT JOIN statuses r ON r.kind = c.kind AND r.status = c.outcome
        CROSS JOIN LATERAL stat_values(c.outcome, c.sender, c.template_id, c.billing_code, c.read_band, c.hour, c.sign_band) d
        GROUP BY 1, 2, 3, 4, 5
    ), days AS (
        INSERT INTO stats AS s (account_id, day, kind, dimension, value, n, arrived, stopped, parts)
        SELECT * FROM sums ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT ON CONSTRAINT stats_pkey DO UPDATE SET n = s.n + excluded.n, arrived = s.arrived + excluded.arrived,
            stopped = s.stopped + excluded.stopped, parts = s.parts + excluded.parts
    )
    SELECT count(*) INTO taken FROM gone;
    RETURN taken;
END $function$;

CREATE OR REPLACE FUNCTION public.follow_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    -- Most are drafts, and asking what they want takes a new connection 35 ms to plan.
    IF NOT EXISTS (SELECT FROM made m JOIN items it ON it.id = m.item_id WHERE it.state NOT IN ('draft', 'sending', 'cancelled')) THEN
        RETURN NULL;
    END IF;
    INSERT INTO follow_ups (item_id, account_id, cause, since)
    SELECT it.id, it.account_id, w.cause, w.since
    FROM made m JOIN items it ON it.id = m.item_id CROSS JOIN LATERAL follow_up_of(it) w
    WHERE it.state NOT IN ('draft', 'sending', 'cancelled')
      AND (it.list_group <> 'arrived' OR it.kind = 'shipment' AND EXISTS (
          SELECT FROM shipments s WHERE s.item_id = it.id AND s.sign_by IS NOT NULL))
    ON CONFLICT (item_id) DO NOTHING;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.follow_signing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would miss each other
    PERFORM keep_follow_up(NEW.item_id);
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.follow_unread()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM keep_follow_up(l.item_id) FROM statuses r JOIN listed l ON l.account_id = NEW.id AND l.kind = r.kind AND l.status = r.status
    WHERE r.unread;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.follow_up_of(it items)
 RETURNS TABLE(cause text, since timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
    SELECT c.cause, c.since
    FROM (SELECT it.state = 'accepted' AND it.upstream_id IS NOT NULL AS there, coalesce(it.status_at, it.accepted_at) AS heard_at,
                 greatest(it.checked_at, it.check_error_at) AS asked_at) known
    LEFT JOIN statuses r ON r.kind = it.kind AND r.status = it.status
    LEFT JOIN shipments s ON s.item_id = it.id
    LEFT JOIN signing_statuses g ON g.status = s.signing_status
    CROSS JOIN LATERAL (SELECT known.there AND r.ended IS NOT TRUE) way (under_way)
    CROSS JOIN LATERAL (VALUES
        ('uncertain', it.state = 'uncertain' AND it.recover_at IS NULL, coalesce(it.reason_at, it.created_at)),
        ('rejected', it.state = 'rejected', coalesce(it.reason_at, it.created_at)),
        ('failed', it.state = 'failed', coalesce(it.reason_at, it.created_at)),
        ('not_delivered', it.state = 'accepted' AND r.bad, known.heard_at),
        ('waiting', it.state = 'queued' AND it.due_since <= now() - max_wait(), it.due_since + max_wait()),
        ('signing_ended', it.state = 'accepted' AND g.settled AND NOT g.signed, coalesce(s.signing_at, known.heard_at)),
        ('signing', it.state = 'accepted' AND g.awaited AND s.sign_by <= now() + interval '2 days', s.sign_by - interval '2 days'),
        ('missing', way.under_way AND it.missing_reads >= 3, coalesce(it.checked_at, it.accepted_at)),
        ('unread', it.state = 'accepted' AND r.unread AND NOT s.digital_only AND EXISTS (
            SELECT FROM accounts a WHERE a.id = it.account_id AND a.unread_hours > 0
            AND known.asked_at >= it.status_at + a.unread_hours * interval '1 hour'), it.status_at),
        ('silent', way.under_way AND known.asked_at >= known.heard_at + CASE it.kind WHEN 'sms' THEN interval '2 days' ELSE interval '7 days' END,
            known.heard_at)
    ) c (cause, holds, since) JOIN causes k ON k.cause = c.cause
    WHERE c.holds AND (k.stays OR NOT EXISTS (
        SELECT FROM items n WHERE n.origin_id = it.id AND n.origin_kind = 'replaces' AND n.account_id = it.account_id
        AND n.state NOT IN ('draft', 'cancelled')))
    ORDER BY k.place
    LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION public.item_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
    outcome_was text := stat_outcome(OLD.state, OLD.status, OLD.upstream_id);
    outcome_is text := stat_outcome(NEW.state, NEW.status, NEW.upstream_id);
    was statuses;
    known statuses; -- of the status that it has now
    counted boolean;
    last bigint;
BEGIN
    SELECT * INTO known FROM statuses r WHERE r.kind = NEW.kind AND r.status = NEW.status;
    IF OLD.status = NEW.status THEN
        was := known;
    ELSE
        SELECT * INTO was FROM statuses r WHERE r.kind = OLD.kind AND r.status = OLD.status;
    END IF;
    counted := outcome_was IS DISTINCT FROM outcome_is
        OR known.read AND OLD.status_at IS DISTINCT FROM NEW.status_at
        OR OLD.accepted_at IS NOT NULL AND OLD.accepted_at IS DISTINCT FROM NEW.accepted_at
        OR OLD.created_at <> NEW.created_at;

    -- Whether it wants a person.
    IF (OLD.state, OLD.reason_at, OLD.status, OLD.status_at, OLD.due_since, OLD.recover_at IS NULL, OLD.missing_reads >= 3, OLD.upstream_id, OLD.origin_id)
       IS DISTINCT FROM
       (NEW.state, NEW.reason_at, NEW.status, NEW.status_at, NEW.due_since, NEW.recover_at IS NULL, NEW.missing_reads >= 3, NEW.upstream_id, NEW.origin_id)
       AND (OLD.state IN ('rejected', 'failed', 'uncertain') OR NEW.state IN ('rejected', 'failed', 'uncertain')
            OR OLD.state = 'accepted' AND (NEW.state <> 'accepted' OR OLD.upstream_id IS DISTINCT FROM NEW.upstream_id)
            OR (OLD.status, OLD.status_at) IS DISTINCT FROM (NEW.status, NEW.status_at)
            OR OLD.missing_reads >= 3 OR NEW.missing_reads >= 3 OR OLD.origin_id IS NOT NULL OR NEW.origin_id IS NOT NULL
            OR OLD.due_since <= now() - max_wait() OR NEW.due_since <= now() - max_wait())
       OR NEW.state = 'accepted' AND NEW.settled_at IS NULL
          AND (OLD.checked_at, OLD.check_error_at) IS DISTINCT FROM (NEW.checked_at, NEW.check_error_at)
          AND coalesce(NEW.status_at, NEW.accepted_at) <= now() - interval '1 hour' THEN
        IF troubled(OLD, was.bad) OR troubled(NEW, known.bad) OR OLD.state <> NEW.state THEN
            PERFORM keep_follow_up(NEW.id);
        END IF;
        IF (OLD.state, OLD.origin_id) IS DISTINCT FROM (NEW.state, NEW.origin_id) THEN
            PERFORM keep_follow_up(o.id) FROM (SELECT OLD.origin_id AS id UNION SELECT NEW.origin_id) o WHERE o.id IS NOT NULL;
        END IF;
    END IF;

    -- How many stand in its group.
    IF OLD.list_group <> NEW.list_group THEN
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
    END IF;

    -- What the lists are read by.
    IF counted OR OLD.list_group <> NEW.list_group OR OLD.status <> NEW.status OR OLD.created_by <> NEW.created_by
       OR NEW.status <> '' AND (OLD.state = 'accepted') <> (NEW.state = 'accepted') THEN
        UPDATE listed SET created_at = NEW.created_at, created_by = NEW.created_by, list_group = NEW.list_group,
            status = CASE NEW.state WHEN 'accepted' THEN NEW.status ELSE '' END,
            outcome = coalesce(outcome_is, ''),
            route = CASE WHEN outcome_is IS NULL THEN '' ELSE coalesce(
                (SELECT r.route FROM statuses r WHERE r.kind = NEW.kind AND r.status = outcome_is),
                (SELECT r.route FROM statuses r WHERE r.kind = NEW.kind AND r.status = '')) END,
            read_band = CASE WHEN NEW.state = 'accepted' AND known.read THEN stat_band(NEW.status_at - NEW.accepted_at) END
        WHERE item_id = NEW.id;
        IF OLD.accepted_at <> NEW.accepted_at THEN
            UPDATE listed SET sign_band = list_sign_band(NEW.id) WHERE item_id = NEW.id;
        END IF;
    END IF;

    -- What it costs its account.
    IF NEW.kind = 'shipment' AND (OLD.state, was.route) IS DISTINCT FROM (NEW.state, known.route) THEN
        PERFORM add_shipment_usage(h.account_id, h.cost_month, shipment_cost(NEW.state, known.route, h.cost_print, h.cost_digital)
                                                             - shipment_cost(OLD.state, was.route, h.cost_print, h.cost_digital))
        FROM shipments h WHERE h.item_id = NEW.id AND h.cost_month IS NOT NULL;
    END IF;

    -- The team lead's numbers: the row as it was goes out, and the row as it is comes in.
    IF counted THEN
        INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
        SELECT it.account_id, (it.created_at AT TIME ZONE 'Europe/Oslo')::date, it.kind, stat_outcome(it.state, it.status, it.upstream_id), it.created_by,
               coalesce(m.template_id, h.template_id), coalesce(h.billing_code, ''),
               CASE WHEN it.state = 'accepted' AND it.read THEN stat_band(it.status_at - it.accepted_at) END,
               CASE WHEN it.state = 'accepted' AND it.read THEN stat_hour(it.accepted_at) END,
               CASE WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at) END,
               it.n, it.n * coalesce(m.parts, 0)
        FROM (SELECT (OLD).*, was.read, -1 AS n UNION ALL SELECT (NEW).*, known.read, 1) it
        LEFT JOIN sms m ON m.item_id = it.id
        LEFT JOIN shipments h ON h.item_id = it.id
        LEFT JOIN signing_statuses g ON g.status = h.signing_status
        WHERE it.state <> 'draft' AND (m.item_id IS NOT NULL OR h.item_id IS NOT NULL);
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.item_grouped()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF NEW.state = 'draft' THEN
        NEW.list_group := 'draft';
    ELSE
        SELECT r.list_group INTO NEW.list_group FROM statuses r WHERE r.kind = NEW.kind AND r.status = stat_outcome(NEW.state, NEW.status, NEW.upstream_id);
        IF NOT FOUND THEN
            SELECT r.list_group INTO NEW.list_group FROM statuses r WHERE r.kind = NEW.kind AND r.status = '';
        END IF;
    END IF;
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.keep_follow_up(item uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE wanted record;
BEGIN
    SELECT it.account_id, w.cause, w.since INTO wanted FROM items it CROSS JOIN LATERAL follow_up_of(it) w WHERE it.id = item;
    IF FOUND THEN
        INSERT INTO follow_ups AS f (item_id, account_id, cause, since) VALUES (item, wanted.account_id, wanted.cause, wanted.since)
        ON CONFLICT (item_id) DO UPDATE SET cause = excluded.cause, since = excluded.since, ended_at = NULL, done_at = NULL, done_by = NULL, reason = NULL
        WHERE f.ended_at IS NOT NULL OR (f.cause, f.since) IS DISTINCT FROM (excluded.cause, excluded.since);
    ELSE
        UPDATE follow_ups SET ended_at = now() WHERE item_id = item AND ended_at IS NULL;
    END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.kind_holds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF EXISTS (SELECT FROM fresh f JOIN items it ON it.id = f.item_id WHERE it.kind <> TG_ARGV[0]) THEN
        RAISE EXCEPTION 'content of another kind than its item' USING ERRCODE = 'check_violation', CONSTRAINT = 'items_kind';
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.kind_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION 'an item stays of its kind' USING ERRCODE = 'check_violation', CONSTRAINT = 'items_kind';
END $function$;

CREATE OR REPLACE FUNCTION public.list_archived()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE listed SET archived = false WHERE item_id = OLD.item_id;
    ELSE
        UPDATE listed SET archived = true WHERE item_id = NEW.item_id;
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.list_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM listed l USING gone WHERE l.item_id = gone.id;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.list_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO listed (item_id, account_id, kind, created_at, created_by, list_group, status, outcome, route, read_band)
    SELECT f.id, f.account_id, f.kind, f.created_at, f.created_by, f.list_group, CASE f.state WHEN 'accepted' THEN f.status ELSE '' END,
           coalesce(o.outcome, ''), CASE WHEN o.outcome IS NULL THEN '' ELSE coalesce(r.route, other.route) END,
           CASE WHEN f.state = 'accepted' AND r.read THEN stat_band(f.status_at - f.accepted_at) END
    FROM fresh f CROSS JOIN LATERAL (SELECT stat_outcome(f.state, f.status, f.upstream_id)) o (outcome)
    LEFT JOIN statuses r ON r.kind = f.kind AND r.status = o.outcome
    LEFT JOIN statuses other ON other.kind = f.kind AND other.status = '';
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.list_sign_band(item uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
    SELECT stat_band(h.signing_at - it.accepted_at)
    FROM shipments h JOIN items it ON it.id = h.item_id JOIN signing_statuses g ON g.status = h.signing_status AND g.signed
    WHERE h.item_id = item
$function$;

CREATE OR REPLACE FUNCTION public.list_signed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would miss each other
    UPDATE listed SET sign_band = list_sign_band(NEW.item_id) WHERE item_id = NEW.item_id;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.list_signed_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE listed l SET sign_band = list_sign_band(l.item_id) FROM made m
    WHERE m.item_id = l.item_id AND m.signing_status <> '';
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.list_words(string text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
    SELECT coalesce(' ' || nullif(btrim(regexp_replace(
        translate(lower(string), 'ÆØÅÄÖÜÀÁÂÃÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÙÚÛÝÞČĐŊŠŦŽŁŃŚŹŻĄĘĆ', 'æøåäöüàáâãçèéêëìíîïðñòóôõùúûýþčđŋšŧžłńśźżąęć'),
        '[][[:space:]!"#$%&''()*+,./:;<=>?@\\^_`{|}~–—’´«»…·§-]+', ' ', 'g')), '') || ' ', '')
$function$;

CREATE OR REPLACE FUNCTION public.max_wait()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT interval '24 hours' $function$;

CREATE OR REPLACE FUNCTION public.note_job_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF current_setting('utsending.resealing', true) IS DISTINCT FROM 'on' THEN
        NEW.changed_at := now();
    END IF;
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.protected_sender()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT protected_id FROM sms WHERE item_id = NEW.id UNION ALL SELECT protected_id FROM shipments WHERE item_id = NEW.id) o
        WHERE o.protected_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = o.protected_id AND w.user_id = NEW.created_by)) THEN
        RAISE EXCEPTION 'the recipient is protected' USING ERRCODE = 'check_violation', CONSTRAINT = 'protected_sender';
    END IF;
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.protected_shipment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW.protected_id := (SELECT p.person_id FROM protected_numbers p WHERE p.account_id = NEW.account_id AND p.number_hash = NEW.number_hash);
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.protected_sms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW.protected_id := (SELECT p.person_id FROM protected_numbers p WHERE p.account_id = NEW.account_id AND p.number_hash = NEW.recipient_hash);
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.release_sms_parts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF EXISTS (SELECT FROM attempts p WHERE p.item_id = NEW.id AND p.outcome = 'uncertain' AND p.resolution = 'not_sent' AND p.resolved_by IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    INSERT INTO sms_usage (account_id, month, parts)
    SELECT account_id, counted_month, -parts FROM sms WHERE item_id = NEW.id AND counted_month IS NOT NULL;
    UPDATE sms SET counted_month = NULL WHERE item_id = NEW.id AND counted_month IS NOT NULL;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.service_id_at(account uuid, of text, at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
    SELECT coalesce(
        (SELECT f.service_id FROM former_service_ids f WHERE f.account_id = account AND f.kind = of AND f.until > at ORDER BY f.until LIMIT 1),
        (SELECT CASE of WHEN 'sms' THEN a.sms_account_id ELSE a.shipment_account_id END FROM accounts a WHERE a.id = account))
$function$;

CREATE OR REPLACE FUNCTION public.shipment_cost(state text, route text, print integer, digital integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
    SELECT CASE WHEN state IN ('draft', 'cancelled', 'rejected', 'failed') THEN 0
                WHEN route = 'digital' THEN digital
                WHEN route = 'print' THEN print
                ELSE greatest(print, digital) END
$function$;

CREATE OR REPLACE FUNCTION public.shipment_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW.words := CASE WHEN NEW.content IS NULL THEN ''
        ELSE list_words(NEW.recipient_name || ' ' || NEW.title || ' ' || NEW.external_reference || ' ' || NEW.correlation_id) END;
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.shipments_changed_cost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
    it items;
    known statuses;
BEGIN
    SELECT * INTO it FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would count each other's change
    SELECT * INTO known FROM statuses r WHERE r.kind = it.kind AND r.status = it.status;
    PERFORM add_shipment_usage(OLD.account_id, OLD.cost_month, -shipment_cost(it.state, known.route, OLD.cost_print, OLD.cost_digital));
    PERFORM add_shipment_usage(NEW.account_id, NEW.cost_month, shipment_cost(it.state, known.route, NEW.cost_print, NEW.cost_digital));
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.shipments_made_cost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF EXISTS (SELECT FROM made WHERE cost_month IS NOT NULL) THEN -- drafts cost nothing yet
        PERFORM add_shipment_usage(c.account_id, c.month, sum(c.ore)) FROM made m JOIN shipment_costs c ON c.item_id = m.item_id
        WHERE m.cost_month IS NOT NULL GROUP BY c.account_id, c.month;
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.stat_band(took interval)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
    SELECT CASE WHEN took < interval '1 hour' THEN 0 WHEN took < interval '4 hours' THEN 1 WHEN took < interval '1 day' THEN 2
                WHEN took < interval '2 days' THEN 3 WHEN took < interval '7 days' THEN 4 WHEN took IS NOT NULL THEN 5 END
$function$;

CREATE OR REPLACE FUNCTION public.stat_content()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM FROM items WHERE id = NEW.item_id FOR NO KEY UPDATE; -- otherwise a concurrent change of the item and this one would count each other's change
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
    SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, NULL, h.billing_code, f.read_band, f.hour,
           CASE WHEN g.signed THEN stat_band(h.signing_at - it.accepted_at) END, h.n, 0
    FROM (VALUES (OLD.billing_code, OLD.signing_status, OLD.signing_at, -1), (NEW.billing_code, NEW.signing_status, NEW.signing_at, 1))
         h (billing_code, signing_status, signing_at, n)
    LEFT JOIN signing_statuses g ON g.status = h.signing_status
    CROSS JOIN stat_facts f JOIN items it ON it.id = f.item_id
    WHERE f.item_id = NEW.item_id;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.stat_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
    SELECT account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, -1, -parts FROM stat_facts WHERE item_id = OLD.id;
    RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION public.stat_hour(at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
    SELECT extract(hour FROM at AT TIME ZONE 'Europe/Oslo')::integer
$function$;

CREATE OR REPLACE FUNCTION public.stat_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    -- Most are drafts, and counting takes a new connection 9 ms to plan.
    IF NOT EXISTS (SELECT FROM made m JOIN items it ON it.id = m.item_id WHERE it.state <> 'draft') THEN
        RETURN NULL;
    END IF;
    INSERT INTO stat_changes (account_id, day, kind, outcome, sender, template_id, billing_code, read_band, hour, sign_band, n, parts)
    SELECT f.account_id, f.day, f.kind, f.outcome, f.sender, f.template_id, f.billing_code, f.read_band, f.hour, f.sign_band, count(*), sum(f.parts)
    FROM made m JOIN stat_facts f ON f.item_id = m.item_id
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.stat_outcome(state text, status text, upstream_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
    SELECT CASE WHEN state = 'draft' THEN NULL
                WHEN state IN ('queued', 'sending') THEN 'open'
                WHEN state <> 'accepted' THEN state
                WHEN status <> '' THEN status
                WHEN upstream_id IS NULL THEN 'untracked'
                ELSE 'open' END
$function$;

CREATE OR REPLACE FUNCTION public.stat_values(outcome text, sender uuid, template_id uuid, billing_code text, read_band integer, hour integer, sign_band integer)
 RETURNS TABLE(dimension text, value text)
 LANGUAGE sql
 IMMUTABLE
AS $function$
    SELECT d.dimension, d.value
    FROM (VALUES ('outcome', outcome), ('sender', sender::text), ('template', template_id::text), ('billing', nullif(billing_code, '')),
                 ('read', read_band::text), ('hour', to_char(hour, 'FM00') || '-' || read_band), ('sign', sign_band::text)) d (dimension, value)
    WHERE d.value IS NOT NULL
$function$;

CREATE OR REPLACE FUNCTION public.stop_as_asked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW.state := 'cancelled';
    INSERT INTO events (item_id, account_id, kind) VALUES (NEW.id, NEW.account_id, 'cancelled'); -- no actor: the request has a line of its own
    RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.troubled(it items, bad boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
    SELECT it.state IN ('rejected', 'failed', 'uncertain') OR it.missing_reads >= 3 OR bad
        OR it.state = 'queued' AND it.due_since <= now() - max_wait()
        OR it.state = 'accepted' AND coalesce(it.status_at, it.accepted_at) <= now() - interval '1 hour'
$function$;

CREATE OR REPLACE FUNCTION public.write_audit(session text, actor uuid, account uuid, act text, object uuid, more jsonb, came_from text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
DECLARE
    login uuid;
    person uuid := actor;
    line bigint;
BEGIN
    IF session <> '' THEN
        -- What was begun before a session ended is still written down.
        SELECT s.id, s.user_id INTO login, person FROM public.sign_ins s
        WHERE s.session_hash = session AND (s.ended_at IS NULL OR s.ended_at > now() - interval '1 hour')
        ORDER BY s.started_at DESC LIMIT 1;
        IF login IS NULL OR person <> actor THEN
            RAISE EXCEPTION 'the session is not that person''s' USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    INSERT INTO public.audit_events (actor_id, account_id, action, object_id, details, origin, actor_name, account_name, sign_in_id)
    VALUES (person, account, act, object, more, came_from, coalesce((SELECT u.name FROM public.users u WHERE u.id = person), ''),
            coalesce((SELECT a.name FROM public.accounts a WHERE a.id = account), ''), login)
    RETURNING id INTO line;
    RETURN line;
END $function$;
