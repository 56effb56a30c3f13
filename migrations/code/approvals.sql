-- Approval by a colleague. In SQL: drafts are sent and changed in many statements, and one that forgot to ask would send without
-- approval.

-- A request is about the sender's own draft, or a version of a template by that user. The draft is locked first, so that sending it
-- is either before or after the request.
CREATE FUNCTION approval_asked() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
CREATE TRIGGER approvals_asked BEFORE INSERT ON approvals FOR EACH ROW EXECUTE FUNCTION approval_asked();

-- A request is decided once.
CREATE FUNCTION approval_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the approval is decided' USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_once';
END $$;
CREATE TRIGGER approvals_once BEFORE UPDATE ON approvals FOR EACH ROW
    WHEN (OLD.state <> 'waiting' AND OLD.state <> NEW.state
          OR (OLD.item_id, OLD.job_id, OLD.template_id, OLD.seen, OLD.asked_by, OLD.account_id)
             IS DISTINCT FROM (NEW.item_id, NEW.job_id, NEW.template_id, NEW.seen, NEW.asked_by, NEW.account_id))
    EXECUTE FUNCTION approval_decided();

-- A draft that awaits approval, or whose list does, can be neither sent nor changed; a template stays in the version in use.
CREATE FUNCTION approval_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM approvals a WHERE a.state = 'waiting' AND CASE TG_ARGV[0]
        WHEN 'job' THEN a.job_id = NEW.id
        WHEN 'template' THEN a.template_id = NEW.id
        ELSE a.item_id = NEW.id OR a.job_id IN (SELECT j.id FROM jobs j WHERE j.draft_id = NEW.id) END) THEN
        RAISE EXCEPTION 'it waits for approval' USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_hold';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER items_approval BEFORE UPDATE OF state, created_by ON items FOR EACH ROW
    WHEN (OLD.state = 'draft' AND (NEW.state <> 'draft' OR NEW.created_by <> OLD.created_by)) EXECUTE FUNCTION approval_holds('item');
CREATE TRIGGER jobs_approval BEFORE UPDATE ON jobs FOR EACH ROW
    WHEN (OLD.state = 'draft' AND (NEW.state <> 'draft' OR NEW.sent_at IS NOT NULL OR NEW.created_by <> OLD.created_by))
    EXECUTE FUNCTION approval_holds('job');
CREATE TRIGGER templates_approval BEFORE UPDATE OF version ON templates FOR EACH ROW WHEN (OLD.version <> NEW.version)
    EXECUTE FUNCTION approval_holds('template');

-- The same for acts of administrators: a request is decided once, and its content does not change.
CREATE TRIGGER act_requests_once BEFORE UPDATE ON act_requests FOR EACH ROW
    WHEN (OLD.state <> 'waiting'
          OR (OLD.act, OLD.object_id, OLD.seen, OLD.change, OLD.reason, OLD.asked_by, OLD.expires_at)
             IS DISTINCT FROM (NEW.act, NEW.object_id, NEW.seen, NEW.change, NEW.reason, NEW.asked_by, NEW.expires_at)
          OR NEW.state = 'approved' AND OLD.expires_at <= now())
    EXECUTE FUNCTION approval_decided();
