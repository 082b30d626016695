-- New names for functions and procedures; their behaviour does not change. Nothing is dropped: processes of the previous version still
-- call the old functions, and the triggers call them until the next migration. No table is locked.

-- Live updates.

-- Whether any session listens to live updates. Commits that notify wait for each other, so nothing is sent without a listener. A listener
-- holds all 32 advisory locks (src/db/postgres/notification-listener.ts), or is this very session (PGlite). A listener that connects now
-- waits for this commit before it reads, so it misses nothing; a second writer in the same slot notifies without need, which is harmless.
CREATE FUNCTION "has_listeners"() RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  RETURN NOT pg_try_advisory_xact_lock(4478332, pg_backend_pid() % 32)
    OR coalesce(current_setting('duet.listening', true), '') = 'on';
END
$$;

CREATE FUNCTION "notify_order"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "has_listeners"() THEN
    IF TG_OP = 'DELETE' THEN
      PERFORM pg_notify('duet_live', concat_ws(' ', 'order', OLD."business_id", OLD."id", OLD."id"));
    ELSE
      PERFORM pg_notify('duet_live', concat_ws(' ', 'order', NEW."business_id", NEW."id", NEW."id"));
    END IF;
  END IF;
  RETURN NULL;
END
$$;

-- A refund changes its order.
CREATE FUNCTION "notify_refund"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "has_listeners"() THEN
    PERFORM pg_notify('duet_live', concat_ws(' ', 'order', o."business_id", o."id", o."id"))
      FROM "payment_attempts" a JOIN "orders" o ON a."kind" = 'order' AND o."id" = a."subject_id" WHERE a."id" = NEW."attempt_id";
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "notify_stock"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "has_listeners"() THEN
    PERFORM pg_notify('duet_live', concat_ws(' ', 'stock', NEW."business_id", NEW."product_id", NEW."id"));
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "notify_cart"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "has_listeners"() THEN
    PERFORM pg_notify('duet_live', concat_ws(' ', 'cart', OLD."business_id", OLD."id", OLD."id"));
  END IF;
  RETURN NULL;
END
$$;

-- Records a deleted session as revoked until its access tokens expire, and notifies every process.
CREATE FUNCTION "revoke_deleted_session"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."expires_at" IS NULL OR OLD."expires_at" > extract(epoch FROM now()) THEN
    INSERT INTO "revoked_sessions" ("id", "revoked_at")
    VALUES (OLD."id", extract(epoch FROM clock_timestamp())::BIGINT) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('duet_revoked', OLD."id"::TEXT);
  END IF;
  RETURN NULL;
END
$$;

-- Webhooks.

-- Inserts events with one delivery for each subscribed endpoint, and returns the number of deliveries. The statement that makes the change
-- calls it: without an active endpoint it costs one index lookup, where plain SQL would prepare three inserts. FOR KEY SHARE waits for a
-- concurrent deletion of an endpoint, where the foreign key would fail. A delivery's id is derived from its event and endpoint, and sorts
-- with the event's id.
CREATE FUNCTION "insert_webhook_events"("business" UUID, "events" JSON, "created" BIGINT) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  delivery_count INTEGER;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.business_id = business AND w.status = 'ACTIVE') THEN
    RETURN 0;
  END IF;
  WITH event AS (
    SELECT (e->>'id')::uuid AS id, e->>'type' AS type, e->'data' AS data,
      ARRAY['*', split_part(e->>'type', '.', 1) || '.*', e->>'type'] AS patterns
    FROM json_array_elements(events) AS list(e)
  ), subscribed AS (
    SELECT v.id AS event_id, w.id AS endpoint_id, md5(v.id::text || w.id::text) AS hash
    FROM event v JOIN webhook_endpoints w ON w.business_id = business AND w.status = 'ACTIVE' AND w.events && v.patterns
    FOR KEY SHARE OF w
  ), inserted_event AS (
    INSERT INTO webhook_events (id, business_id, type, data, created_at)
    SELECT v.id, business, v.type, v.data, created FROM event v WHERE v.id IN (SELECT event_id FROM subscribed)
  ), inserted_delivery AS (
    INSERT INTO webhook_deliveries (id, business_id, event_id, endpoint_id, next_attempt_at, created_at)
    SELECT (left(event_id::text, 19) || '8' || substr(hash, 1, 3) || '-' || substr(hash, 4, 12))::uuid,
      business, event_id, endpoint_id, created, created
    FROM subscribed
    RETURNING 1
  )
  SELECT count(*) INTO delivery_count FROM inserted_delivery;
  RETURN delivery_count;
END
$$;

-- Orders.

-- Unpaid order limit: time at which this customer or address may place another order; null if they may now. VOLATILE, so that the query
-- after the locks sees the orders that it waited for.
CREATE FUNCTION "unpaid_order_limit_until"("new_order" UUID, "customer" UUID, "address" TEXT, "per_customer" INTEGER, "per_address" INTEGER)
RETURNS BIGINT VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  "lock_name" TEXT;
  "free_at" BIGINT;
BEGIN
  FOREACH "lock_name" IN ARRAY array_remove(ARRAY['unpaid-of:' || "customer", 'unpaid-from:' || "address"], NULL) LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended("lock_name", 0));
  END LOOP;
  SELECT max("expires_at") INTO "free_at" FROM (
    (SELECT o."expires_at" FROM "orders" o
      WHERE o."customer_id" = "customer" AND o."held_from" IS NOT NULL AND o."id" <> "new_order"
      ORDER BY o."expires_at" DESC OFFSET "per_customer" - 1 LIMIT 1)
    UNION ALL
    (SELECT o."expires_at" FROM "orders" o
      WHERE o."held_from" = "address" AND o."id" <> "new_order"
      ORDER BY o."expires_at" DESC OFFSET "per_address" - 1 LIMIT 1)
  ) "limiting";
  RETURN "free_at";
END $$;

-- Assigns the next order number without gaps, in the transaction of the order. The next order of the business waits for that commit, so
-- the insert should be one of the last statements of its transaction.
CREATE FUNCTION "assign_order_number"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "order_numbers" AS n ("business_id", "last", "given") VALUES (NEW."business_id", 1001, 1001)
  ON CONFLICT ("business_id") DO UPDATE SET
    "given" = coalesce(n."freed"[1], n."last" + 1),
    "last" = CASE WHEN cardinality(n."freed") > 0 THEN n."last" ELSE n."last" + 1 END,
    "freed" = n."freed"[2:]
  RETURNING n."given" INTO NEW."number";
  RETURN NEW;
END
$$;

-- Newsletter: a job cancels the recurring payment of a deleted subscription at the provider.
CREATE FUNCTION "queue_renewal_cancellation"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "renewal_endings" ("recurring_id") VALUES (OLD."recurring_id") ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

-- Audit log.

-- Audit context of the statement (src/db/audit-context.ts); empty for writes from outside of the application.
CREATE FUNCTION "audit_context"() RETURNS JSONB LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('duet.author', true), ''), '{}')::jsonb
$$;

-- Time of the change in milliseconds.
CREATE FUNCTION "audit_time"("context" JSONB) RETURNS BIGINT LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(("context"->>'at')::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

-- A UUIDv7: milliseconds, then a sequence number.
CREATE FUNCTION "audit_id"("milliseconds" BIGINT) RETURNS UUID LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex("milliseconds"), 12, '0') || '70008' || lpad(to_hex(nextval('change_numbers')), 15, '0'))::uuid
$$;

-- Value of a field in the log: secret and personal values, and those above 4,000 bytes, are replaced by the reason.
CREATE FUNCTION "audit_value"("field" TEXT, "value" JSONB, "hidden" JSONB) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN "value" IS NULL OR "value" IN ('null', '""', '[]') THEN "value"
    WHEN "hidden" ? "field" THEN jsonb_build_object('omitted', "hidden"->"field")
    WHEN octet_length("value"::text) > 4000 THEN jsonb_build_object('omitted', 'TOO_LONG')
    ELSE "value"
  END
$$;

-- Fields of a row without the ignored ones; the parts of its document are fields too.
CREATE FUNCTION "audit_fields"("record" JSONB, "ignored" TEXT[]) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE jsonb_typeof("record"->'document')
    WHEN 'object' THEN ("record" - ("ignored" || 'document'::text)) || ("record"->'document')
    ELSE "record" - "ignored"
  END
$$;

CREATE FUNCTION "audit_snapshot"("record" JSONB, "ignored" TEXT[], "hidden" JSONB) RETURNS JSONB LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  "fields" JSONB := "audit_fields"("record", "ignored");
BEGIN
  IF "hidden" = '{}' AND octet_length("fields"::text) <= 4000 THEN
    RETURN "fields";
  END IF;
  RETURN (SELECT jsonb_object_agg(f."key", "audit_value"(f."key", f."value", "hidden")) FROM jsonb_each("fields") f);
END
$$;

-- Arguments of audit_insert, audit_update and audit_delete: kind, column of the business, column of the record's id, ignored fields,
-- hidden fields. The offsets keep the planner from computing each record and its fields again wherever they are used.
CREATE FUNCTION "audit_insert"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "context" JSONB := "audit_context"();
  "time" BIGINT := "audit_time"("context");
BEGIN
  INSERT INTO "changes" ("id", "business_id", "kind", "record_id", "action", "actor", "user_id", "key_id", "request_id", "voice", "after", "created_at")
  SELECT "audit_id"("time"), (r."row"->>TG_ARGV[1])::uuid, TG_ARGV[0], r."row"->>TG_ARGV[2], 'CREATE',
    coalesce("context"->>'actor', 'SYSTEM'), ("context"->>'userId')::uuid, "context"->>'keyId',
    coalesce("context"->>'requestId', "context"->'requests'->>(r."row"->>TG_ARGV[2])), coalesce("context"->>'voice', 'JOB'),
    CASE WHEN TG_ARGV[4] = '{}' AND octet_length(r."fields"::text) <= 4000 THEN r."fields"
      ELSE "audit_snapshot"(r."row", TG_ARGV[3]::text[], TG_ARGV[4]::jsonb) END,
    "time" / 1000
  FROM (
    SELECT o."row", "audit_fields"(o."row", TG_ARGV[3]::text[]) AS "fields"
    FROM (SELECT to_jsonb(a) AS "row" FROM "added" a OFFSET 0) o OFFSET 0
  ) r;
  RETURN NULL;
END
$$;

CREATE FUNCTION "audit_update"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "context" JSONB;
  "time" BIGINT;
  "row" JSONB := to_jsonb(NEW);
  "old_fields" JSONB;
  "new_fields" JSONB;
BEGIN
  SELECT jsonb_object_agg("key", "audit_value"("key", o."value", TG_ARGV[4]::jsonb)),
    jsonb_object_agg("key", "audit_value"("key", n."value", TG_ARGV[4]::jsonb))
  INTO "old_fields", "new_fields"
  FROM jsonb_each("audit_fields"(to_jsonb(OLD), TG_ARGV[3]::text[])) o
  FULL JOIN jsonb_each("audit_fields"("row", TG_ARGV[3]::text[])) n USING ("key")
  WHERE o."value" IS DISTINCT FROM n."value";
  IF "new_fields" IS NULL THEN
    RETURN NULL;
  END IF;
  "context" := "audit_context"();
  "time" := "audit_time"("context");
  INSERT INTO "changes" ("id", "business_id", "kind", "record_id", "action", "actor", "user_id", "key_id", "request_id", "voice", "before", "after", "created_at")
  VALUES ("audit_id"("time"), ("row"->>TG_ARGV[1])::uuid, TG_ARGV[0], "row"->>TG_ARGV[2], 'UPDATE',
    coalesce("context"->>'actor', 'SYSTEM'), ("context"->>'userId')::uuid, "context"->>'keyId', "context"->>'requestId',
    coalesce("context"->>'voice', 'JOB'), "old_fields", "new_fields", "time" / 1000);
  RETURN NULL;
END
$$;

-- Records deleted together with their business are not logged: no one is left who could read the log.
CREATE FUNCTION "audit_delete"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "context" JSONB := "audit_context"();
  "time" BIGINT := "audit_time"("context");
BEGIN
  INSERT INTO "changes" ("id", "business_id", "kind", "record_id", "action", "actor", "user_id", "key_id", "request_id", "voice", "before", "created_at")
  SELECT "audit_id"("time"), (r."row"->>TG_ARGV[1])::uuid, TG_ARGV[0], r."row"->>TG_ARGV[2], 'DELETE',
    coalesce("context"->>'actor', 'SYSTEM'), ("context"->>'userId')::uuid, "context"->>'keyId', "context"->>'requestId',
    coalesce("context"->>'voice', 'JOB'), "audit_snapshot"(r."row", TG_ARGV[3]::text[], TG_ARGV[4]::jsonb), "time" / 1000
  FROM (SELECT to_jsonb(a) AS "row" FROM "removed" a OFFSET 0) r
  WHERE TG_TABLE_NAME = 'businesses' OR EXISTS (SELECT 1 FROM "businesses" b WHERE b."id" = (r."row"->>TG_ARGV[1])::uuid);
  RETURN NULL;
END
$$;

-- Enables the audit log of a table; call it again after adding columns. `ignored` are fields whose change alone is not logged, `hidden`
-- are fields whose values are not stored, with the reason.
CREATE PROCEDURE "enable_audit_log"("of" REGCLASS, "kind" TEXT, "record" TEXT DEFAULT 'id', "ignored" TEXT[] DEFAULT '{}',
  "hidden" JSONB DEFAULT '{}', "inserts" BOOLEAN DEFAULT true) LANGUAGE plpgsql AS $$
DECLARE
  "business" TEXT := CASE WHEN "of" = '"businesses"'::regclass THEN 'id' ELSE 'business_id' END;
  "all_ignored" TEXT[] := (SELECT array_agg(a."attname"::text) FROM pg_attribute a WHERE a."attrelid" = "of" AND a."attnum" > 0
    AND (a."attgenerated" <> '' OR a."attname" = ANY ("ignored" || ARRAY["business", "record", 'version', 'created_at', 'updated_at'])));
  "logged" TEXT := (SELECT string_agg(format('%I', a."attname"), ', ') FROM pg_attribute a
    WHERE a."attrelid" = "of" AND a."attnum" > 0 AND NOT a."attisdropped" AND a."attname" <> ALL ("all_ignored"));
  "arguments" TEXT := format('(%L, %L, %L, %L, %L)', "kind", "business", "record", "all_ignored", "hidden");
  "name" TEXT;
BEGIN
  FOREACH "name" IN ARRAY ARRAY['note_created', 'note_updated', 'note_deleted', 'audit_insert', 'audit_update', 'audit_delete'] LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', "name", "of");
  END LOOP;
  IF "inserts" THEN
    EXECUTE format('CREATE TRIGGER "audit_insert" AFTER INSERT ON %s REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "audit_insert"%s', "of", "arguments");
  END IF;
  EXECUTE format('CREATE TRIGGER "audit_update" AFTER UPDATE OF %s ON %s FOR EACH ROW EXECUTE FUNCTION "audit_update"%s', "logged", "of", "arguments");
  EXECUTE format('CREATE TRIGGER "audit_delete" AFTER DELETE ON %s REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "audit_delete"%s', "of", "arguments");
END
$$;

-- The old name creates the new triggers.
CREATE OR REPLACE PROCEDURE "keep_history"("of" REGCLASS, "kind" TEXT, "record" TEXT DEFAULT 'id', "unsaid" TEXT[] DEFAULT '{}',
  "hidden" JSONB DEFAULT '{}', "creates" BOOLEAN DEFAULT true) LANGUAGE plpgsql AS $$
BEGIN
  CALL "enable_audit_log"("of", "kind", "record", "unsaid", "hidden", "creates");
END
$$;

-- The audit log is append-only. Only the retention job deletes expired rows.
CREATE FUNCTION "reject_audit_log_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND ("audit_context"()->>'sweeping')::boolean THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'The history of changes is append-only.' USING ERRCODE = 'insufficient_privilege';
END
$$;

-- Restore guard: unique versions after a restore.

-- Registers this database and returns the minimum version that a change gives to a record. A restored database or a promoted replica has
-- another identity than the registered one: versions given elsewhere in the meantime are unknown here. The minimum is raised above them, by
-- 100,000 versions, and to at least one version per second since 2026.
CREATE FUNCTION "register_database"() RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "current" TEXT := (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
  "by_time" INTEGER := extract(epoch FROM clock_timestamp() - '2026-01-01Z'::timestamptz);
BEGIN
  IF current_setting('transaction_read_only') = 'off' THEN
    BEGIN
      "current" := concat_ws(' ', "current", (SELECT "system_identifier" FROM pg_control_system()),
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8));
    EXCEPTION WHEN OTHERS THEN
      -- Some hosting providers do not permit these functions.
      NULL;
    END;
    UPDATE "lineage" SET "identity" = "current" WHERE "identity" IS NULL;
    UPDATE "lineage" SET "identity" = "current", "least_version" = greatest("by_time", "most_version" + 100000),
      "most_version" = greatest("by_time", "most_version" + 100000) + 100000 WHERE "identity" <> "current";
  END IF;
  RETURN (SELECT "least_version" FROM "lineage");
END
$$;

CREATE FUNCTION "enforce_min_version"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "bounds" "lineage";
BEGIN
  SELECT * INTO "bounds" FROM "lineage";
  NEW."version" := greatest(NEW."version", "bounds"."least_version");
  -- In steps of 100,000, so that updates seldom wait for the lock of this row.
  IF NEW."version" > "bounds"."most_version" THEN
    UPDATE "lineage" SET "most_version" = NEW."version" + 100000 WHERE "most_version" < NEW."version";
  END IF;
  RETURN NEW;
END
$$;

-- For every table whose records have a version; new tables call it in their migration.
CREATE PROCEDURE "enable_min_version"("of" REGCLASS) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER "enforce_min_version" BEFORE UPDATE OF "version" ON %s
    FOR EACH ROW WHEN (NEW."version" > OLD."version") EXECUTE FUNCTION "enforce_min_version"()', "of");
END
$$;

-- The old name creates the new trigger.
CREATE OR REPLACE PROCEDURE "never_repeat_versions"("of" REGCLASS) LANGUAGE plpgsql AS $$
BEGIN
  CALL "enable_min_version"("of");
END
$$;

-- Search and sort indexes of products.

-- Search vector of a product; a match in its name has the highest weight.
CREATE FUNCTION "product_search_vector"("name" TEXT, "category" TEXT, "document" JSONB) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
  SELECT setweight(to_tsvector('english', "name"), 'A') || setweight(to_tsvector('english', "category"), 'B')
    || setweight(to_tsvector('english', coalesce("document"->>'description', '')), 'C')
$$;

-- Total stock of a product; an untracked variant counts as the largest integer.
CREATE FUNCTION "product_total_stock"("product" UUID) RETURNS BIGINT LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE WHEN v."tracked" THEN v."quantity" ELSE 2147483647 END), 0)::bigint FROM "variants" v WHERE v."product_id" = "product"
$$;

CREATE FUNCTION "index_product"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "product_listings" ("product_id", "business_id", "name", "search", "created_at", "updated_at") VALUES
      (NEW."id", NEW."business_id", lower(NEW."name"), "product_search_vector"(NEW."name", NEW."category", NEW."document"), NEW."created_at", NEW."updated_at");
    INSERT INTO "product_stock" ("product_id", "business_id", "stock") VALUES (NEW."id", NEW."business_id", "product_total_stock"(NEW."id"));
  ELSE
    UPDATE "product_listings" SET "name" = lower(NEW."name"), "updated_at" = NEW."updated_at",
      "search" = "product_search_vector"(NEW."name", NEW."category", NEW."document") WHERE "product_id" = NEW."id";
    IF OLD."document"->'variants' IS NOT DISTINCT FROM NEW."document"->'variants' THEN
      RETURN NULL;
    END IF;
    DELETE FROM "product_prices" WHERE "product_id" = NEW."id";
    DELETE FROM "product_attributes" WHERE "product_id" = NEW."id";
  END IF;
  INSERT INTO "product_prices" ("product_id", "market", "business_id", "price")
    SELECT NEW."id", p."market", NEW."business_id", p."price" FROM "product_lowest_prices"(NEW."document"->'variants') p;
  IF NEW."document" @? '$.variants[*].attributes[*]' THEN
    INSERT INTO "product_attributes" ("product_id", "name", "value", "business_id")
      SELECT NEW."id", a."name", a."value", NEW."business_id" FROM "product_distinct_attributes"(NEW."document"->'variants') a;
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "unindex_products"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "product_listings" WHERE "product_id" IN (SELECT "id" FROM "removed");
  DELETE FROM "product_prices" WHERE "product_id" IN (SELECT "id" FROM "removed");
  DELETE FROM "product_attributes" WHERE "product_id" IN (SELECT "id" FROM "removed");
  DELETE FROM "product_stock" WHERE "product_id" IN (SELECT "id" FROM "removed");
  RETURN NULL;
END
$$;

-- A stock movement holds the lock of the product, so that no two transactions add up its stock at the same time.
CREATE FUNCTION "index_product_stock"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "product_stock" s SET "stock" = "product_total_stock"(s."product_id")
  WHERE s."product_id" IN (SELECT DISTINCT c."product_id" FROM "changed" c) AND s."stock" <> "product_total_stock"(s."product_id");
  RETURN NULL;
END
$$;

CREATE FUNCTION "save_old_product_slug"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "product_old_slugs" ("product_id", "slug", "business_id", "replaced_at")
    VALUES (NEW."id", OLD."slug", NEW."business_id", "audit_time"("audit_context"()))
    ON CONFLICT ("product_id", "slug") DO UPDATE SET "replaced_at" = excluded."replaced_at";
  DELETE FROM "product_old_slugs" o WHERE o."product_id" = NEW."id" AND o."slug" = NEW."slug";
  DELETE FROM "product_old_slugs" o WHERE o."product_id" = NEW."id" AND o."slug" IN (
    SELECT "slug" FROM "product_old_slugs" WHERE "product_id" = NEW."id" ORDER BY "replaced_at" DESC, "slug" OFFSET 100);
  RETURN NULL;
END
$$;

-- Filter values, sort keys, versions and old slugs of entries.

-- Values that entries are filtered by: texts of up to 200 characters in any locale, numbers, options, booleans, and under an empty block
-- name the targets of relationships.
CREATE FUNCTION "entry_filter_values"("blocks" JSONB) RETURNS TABLE ("block" TEXT, "value" TEXT) LANGUAGE sql IMMUTABLE AS $$
  WITH "filterable" AS (
    SELECT b->>'id' AS "id", b->>'type' AS "type", b->'value' AS "value" FROM jsonb_array_elements("blocks") b
    WHERE b->>'type' IN ('TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'RELATIONSHIP', 'SELECT', 'MULTI_SELECT')
  ), "scalar" AS (
    SELECT "id", "type", v FROM "filterable", LATERAL jsonb_path_query("value", 'lax $.**{0 to 1}') v
    WHERE jsonb_typeof(v) IN ('string', 'number', 'boolean')
  )
  SELECT n, v #>> '{}' FROM "scalar", LATERAL unnest(CASE WHEN "type" = 'RELATIONSHIP' THEN ARRAY["id", ''] ELSE ARRAY["id"] END) n
  WHERE length(v #>> '{}') BETWEEN 1 AND 200 GROUP BY 1, 2
$$;

CREATE FUNCTION "index_entry"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."blocks" IS NOT DISTINCT FROM NEW."blocks" THEN
      RETURN NULL;
    END IF;
    DELETE FROM "entry_values" WHERE "entry_id" = NEW."id";
  END IF;
  INSERT INTO "entry_values" ("business_id", "block", "value", "entry_id")
    SELECT NEW."business_id", f."block", f."value", NEW."id" FROM "entry_filter_values"(NEW."blocks") f;
  RETURN NULL;
END
$$;

CREATE FUNCTION "unindex_entries"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "entry_values" WHERE "entry_id" IN (SELECT "id" FROM "removed");
  RETURN NULL;
END
$$;

-- Sort key of each sortable block; `locale` is the entry's own.
CREATE FUNCTION "entry_sort_values"("blocks" JSONB, "locale" TEXT) RETURNS TABLE ("block" TEXT, "kind" TEXT, "key" TEXT) LANGUAGE sql IMMUTABLE AS $$
  SELECT * FROM (
    SELECT b->>'id', b->>'type', CASE
      WHEN b->>'type' IN ('NUMBER', 'DATE') AND jsonb_typeof(b->'value') = 'number' THEN "number_sort_key"((b->>'value')::double precision)
      WHEN b->>'type' = 'BOOLEAN' AND jsonb_typeof(b->'value') = 'boolean' THEN b->>'value'
      WHEN b->>'type' IN ('TEXT', 'SELECT') AND jsonb_typeof(b->'value') = 'string' THEN nullif(lower(left(b->>'value', 200)), '')
      WHEN b->>'type' = 'TEXT' AND jsonb_typeof(b->'value') = 'object' THEN "text_sort_key"(b->'value', "locale") END
    FROM jsonb_array_elements("blocks") b
  ) "sortable" ("block", "kind", "key") WHERE "block" IS NOT NULL AND "key" IS NOT NULL
$$;

CREATE FUNCTION "index_entry_sort_keys"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD."blocks" IS NOT DISTINCT FROM NEW."blocks" AND OLD."locale" = NEW."locale" AND OLD."owner" = NEW."owner" THEN
      RETURN NULL;
    END IF;
    DELETE FROM "entry_sort_keys" WHERE "entry_id" = NEW."id";
  END IF;
  IF NEW."collection_id" IS NOT NULL THEN
    INSERT INTO "entry_sort_keys" ("business_id", "collection_id", "block", "kind", "key", "entry_id")
      SELECT NEW."business_id", NEW."collection_id", s."block", s."kind", s."key", NEW."id"
      FROM "entry_sort_values"(NEW."blocks", NEW."locale") s ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

-- Saves a version of an entry if its content or status changed, and deletes all but the last 100.
CREATE FUNCTION "save_entry_version"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "context" JSONB := "audit_context"();
  "time" BIGINT := "audit_time"("context");
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD."locale", OLD."blocks", OLD."status") IS NOT DISTINCT FROM (NEW."locale", NEW."blocks", NEW."status") THEN
    RETURN NULL;
  END IF;
  INSERT INTO "entry_versions" ("id", "entry_id", "version", "locale", "blocks", "status", "actor", "user_id", "created_at")
  VALUES ("audit_id"("time"), NEW."id", NEW."version", NEW."locale", NEW."blocks", NEW."status",
    coalesce("context"->>'actor', 'SYSTEM'), ("context"->>'userId')::uuid, "time" / 1000);
  DELETE FROM "entry_versions" WHERE "entry_id" = NEW."id" AND "version" <= (
    SELECT "version" FROM "entry_versions" WHERE "entry_id" = NEW."id" ORDER BY "version" DESC OFFSET 100 LIMIT 1);
  RETURN NULL;
END
$$;

-- Slugs above 200 characters are not saved: they exceed the size of an index entry.
CREATE FUNCTION "save_old_entry_slugs"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "entry_old_slugs" ("entry_id", "locale", "slug", "business_id", "replaced_at")
    SELECT NEW."id", s."locale", s."slug", NEW."business_id", "audit_time"("audit_context"())
    FROM (SELECT * FROM "slugs_by_locale"(OLD."blocks") EXCEPT SELECT * FROM "slugs_by_locale"(NEW."blocks")) s
    WHERE length(s."slug") BETWEEN 1 AND 200
    ON CONFLICT ("entry_id", "locale", "slug") DO UPDATE SET "replaced_at" = excluded."replaced_at";
  DELETE FROM "entry_old_slugs" o USING "slugs_by_locale"(NEW."blocks") s
    WHERE o."entry_id" = NEW."id" AND o."locale" = s."locale" AND o."slug" = s."slug";
  DELETE FROM "entry_old_slugs" o WHERE o."entry_id" = NEW."id" AND (o."locale", o."slug") IN (
    SELECT "locale", "slug" FROM "entry_old_slugs" WHERE "entry_id" = NEW."id" ORDER BY "replaced_at" DESC, "slug" OFFSET 100);
  RETURN NULL;
END
$$;

-- References to uploaded files.

-- Ids of the files that a text refers to: their URLs contain the id.
CREATE FUNCTION "media_ids_in"("text" TEXT) RETURNS UUID[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT "match"[1]::uuid), '{}') FROM regexp_matches("text",
    '/media/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/', 'gi') AS "match"
$$;

-- Entries keep the references of earlier versions.
CREATE FUNCTION "update_media_refs"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "text" TEXT;
  "ids" UUID[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "media_uses" WHERE "owner_id" = OLD."id";
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'entries' THEN
    "text" := NEW."blocks"::text;
  ELSE
    "text" := NEW."document"::text;
  END IF;
  "ids" := "media_ids_in"("text");
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME <> 'entries' THEN
    DELETE FROM "media_uses" WHERE "owner_id" = NEW."id" AND "media_id" <> ALL("ids");
  END IF;
  -- FOR KEY SHARE waits for a concurrent deletion of a file; a deleted file gets no reference.
  INSERT INTO "media_uses" ("owner_id", "media_id", "business_id")
    SELECT NEW."id", "m"."id", NEW."business_id" FROM (
      SELECT "id" FROM "media" WHERE "id" = ANY("ids") AND "business_id" = NEW."business_id" AND "state" <> 'UPLOADING'
      ORDER BY "id" FOR KEY SHARE
    ) "m"
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

-- Files in the draft of an entry are references of the entry.
CREATE FUNCTION "add_draft_media_refs"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "media_uses" ("owner_id", "media_id", "business_id")
    SELECT NEW."id", "m"."id", "m"."business_id" FROM (
      SELECT "f"."id", "f"."business_id" FROM "media" "f" JOIN "entries" "e" ON "e"."id" = NEW."id" AND "e"."business_id" = "f"."business_id"
      WHERE "f"."id" = ANY("media_ids_in"(NEW."blocks"::text)) AND "f"."state" <> 'UPLOADING'
      ORDER BY "f"."id" FOR KEY SHARE OF "f"
    ) "m"
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
