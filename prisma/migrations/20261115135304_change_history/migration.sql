-- CreateTable
CREATE TABLE "changes" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "user_id" UUID,
    "key_id" TEXT,
    "request_id" TEXT,
    "voice" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("business_id","id")
);

-- CreateIndex
CREATE INDEX "changes_business_id_record_id_id_idx" ON "changes"("business_id", "record_id", "id");

-- CreateIndex
CREATE INDEX "changes_business_id_user_id_id_idx" ON "changes"("business_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "changes_created_at_idx" ON "changes"("created_at");

-- Ids ascend with the time of the change, and within a millisecond with this.
CREATE SEQUENCE "change_numbers";

-- Who writes: handed over with every statement (src/db/author.ts). What comes from elsewhere is the service's own doing.
CREATE FUNCTION "change_author"() RETURNS JSONB LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('duet.author', true), ''), '{}')::jsonb
$$;

CREATE FUNCTION "change_time"("author" JSONB) RETURNS BIGINT LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(("author"->>'at')::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

-- A UUIDv7: milliseconds first, then a number that grows.
CREATE FUNCTION "change_id"("milliseconds" BIGINT) RETURNS UUID LANGUAGE sql VOLATILE AS $$
  SELECT (lpad(to_hex("milliseconds"), 12, '0') || '70008' || lpad(to_hex(nextval('change_numbers')), 15, '0'))::uuid
$$;

-- What is kept of a field: nothing of what is secret or about people, and nothing long.
CREATE FUNCTION "change_value"("field" TEXT, "value" JSONB, "hidden" JSONB) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN "value" IS NULL OR "value" IN ('null', '""', '[]') THEN "value"
    WHEN "hidden" ? "field" THEN jsonb_build_object('omitted', "hidden"->"field")
    WHEN octet_length("value"::text) > 4000 THEN jsonb_build_object('omitted', 'TOO_LONG')
    ELSE "value"
  END
$$;

-- A row as its fields: the parts of a document are fields like any other.
CREATE FUNCTION "change_fields"("record" JSONB, "unsaid" TEXT[]) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE jsonb_typeof("record"->'document')
    WHEN 'object' THEN ("record" - "unsaid" - 'document') || ("record"->'document')
    ELSE "record" - "unsaid"
  END
$$;

CREATE FUNCTION "change_snapshot"("record" JSONB, "unsaid" TEXT[], "hidden" JSONB) RETURNS JSONB LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  "fields" JSONB := "change_fields"("record", "unsaid");
BEGIN
  IF "hidden" = '{}' AND octet_length("fields"::text) <= 4000 THEN
    RETURN "fields";
  END IF;
  RETURN (SELECT jsonb_object_agg(f."key", "change_value"(f."key", f."value", "hidden")) FROM jsonb_each("fields") f);
END
$$;

-- Arguments of the three below: kind, column of the business, column of the record's id, fields that say nothing, fields to hide.
CREATE FUNCTION "note_created"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "author" JSONB := "change_author"();
  "time" BIGINT := "change_time"("author");
BEGIN
  INSERT INTO "changes" ("id", "business_id", "kind", "record_id", "action", "actor", "user_id", "key_id", "request_id", "voice", "after", "created_at")
  SELECT "change_id"("time"), (r."row"->>TG_ARGV[1])::uuid, TG_ARGV[0], r."row"->>TG_ARGV[2], 'CREATE',
    coalesce("author"->>'actor', 'SYSTEM'), ("author"->>'userId')::uuid, "author"->>'keyId', "author"->>'requestId',
    coalesce("author"->>'voice', 'JOB'), "change_snapshot"(r."row", TG_ARGV[3]::text[], TG_ARGV[4]::jsonb), "time" / 1000
  FROM (SELECT to_jsonb(a) AS "row" FROM "added" a) r;
  RETURN NULL;
END
$$;

CREATE FUNCTION "note_updated"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "author" JSONB;
  "time" BIGINT;
  "row" JSONB := to_jsonb(NEW);
  "was" JSONB;
  "is" JSONB;
BEGIN
  SELECT jsonb_object_agg("key", "change_value"("key", o."value", TG_ARGV[4]::jsonb)),
    jsonb_object_agg("key", "change_value"("key", n."value", TG_ARGV[4]::jsonb))
  INTO "was", "is"
  FROM jsonb_each("change_fields"(to_jsonb(OLD), TG_ARGV[3]::text[])) o
  FULL JOIN jsonb_each("change_fields"("row", TG_ARGV[3]::text[])) n USING ("key")
  WHERE o."value" IS DISTINCT FROM n."value";
  IF "is" IS NULL THEN
    RETURN NULL;
  END IF;
  "author" := "change_author"();
  "time" := "change_time"("author");
  INSERT INTO "changes" ("id", "business_id", "kind", "record_id", "action", "actor", "user_id", "key_id", "request_id", "voice", "before", "after", "created_at")
  VALUES ("change_id"("time"), ("row"->>TG_ARGV[1])::uuid, TG_ARGV[0], "row"->>TG_ARGV[2], 'UPDATE',
    coalesce("author"->>'actor', 'SYSTEM'), ("author"->>'userId')::uuid, "author"->>'keyId', "author"->>'requestId',
    coalesce("author"->>'voice', 'JOB'), "was", "is", "time" / 1000);
  RETURN NULL;
END
$$;

-- What goes with its business is not noted one by one: nobody is left to ask.
CREATE FUNCTION "note_deleted"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "author" JSONB := "change_author"();
  "time" BIGINT := "change_time"("author");
BEGIN
  INSERT INTO "changes" ("id", "business_id", "kind", "record_id", "action", "actor", "user_id", "key_id", "request_id", "voice", "before", "created_at")
  SELECT "change_id"("time"), (r."row"->>TG_ARGV[1])::uuid, TG_ARGV[0], r."row"->>TG_ARGV[2], 'DELETE',
    coalesce("author"->>'actor', 'SYSTEM'), ("author"->>'userId')::uuid, "author"->>'keyId', "author"->>'requestId',
    coalesce("author"->>'voice', 'JOB'), "change_snapshot"(r."row", TG_ARGV[3]::text[], TG_ARGV[4]::jsonb), "time" / 1000
  FROM (SELECT to_jsonb(a) AS "row" FROM "removed" a) r
  WHERE TG_TABLE_NAME = 'businesses' OR EXISTS (SELECT 1 FROM "businesses" b WHERE b."id" = (r."row"->>TG_ARGV[1])::uuid);
  RETURN NULL;
END
$$;

-- Has the history of a table kept; once more after columns were added. `unsaid` are fields that are no change by themselves,
-- `hidden` are those whose content is not kept, with the reason.
CREATE PROCEDURE "keep_history"("of" REGCLASS, "kind" TEXT, "record" TEXT DEFAULT 'id', "unsaid" TEXT[] DEFAULT '{}',
  "hidden" JSONB DEFAULT '{}', "creates" BOOLEAN DEFAULT true) LANGUAGE plpgsql AS $$
DECLARE
  "business" TEXT := CASE WHEN "of" = '"businesses"'::regclass THEN 'id' ELSE 'business_id' END;
  "silent" TEXT[] := (SELECT array_agg(a."attname"::text) FROM pg_attribute a WHERE a."attrelid" = "of" AND a."attnum" > 0
    AND (a."attgenerated" <> '' OR a."attname" = ANY ("unsaid" || ARRAY["business", "record", 'version', 'created_at', 'updated_at'])));
  "said" TEXT := (SELECT string_agg(format('%I', a."attname"), ', ') FROM pg_attribute a
    WHERE a."attrelid" = "of" AND a."attnum" > 0 AND NOT a."attisdropped" AND a."attname" <> ALL ("silent"));
  "arguments" TEXT := format('(%L, %L, %L, %L, %L)', "kind", "business", "record", "silent", "hidden");
BEGIN
  EXECUTE format('DROP TRIGGER IF EXISTS "note_created" ON %s', "of");
  EXECUTE format('DROP TRIGGER IF EXISTS "note_updated" ON %s', "of");
  EXECUTE format('DROP TRIGGER IF EXISTS "note_deleted" ON %s', "of");
  IF "creates" THEN
    EXECUTE format('CREATE TRIGGER "note_created" AFTER INSERT ON %s REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "note_created"%s', "of", "arguments");
  END IF;
  EXECUTE format('CREATE TRIGGER "note_updated" AFTER UPDATE OF %s ON %s FOR EACH ROW EXECUTE FUNCTION "note_updated"%s', "said", "of", "arguments");
  EXECUTE format('CREATE TRIGGER "note_deleted" AFTER DELETE ON %s REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "note_deleted"%s', "of", "arguments");
END
$$;

CALL "keep_history"('businesses', 'BUSINESS');
CALL "keep_history"('markets', 'MARKET', 'key');
CALL "keep_history"('shipping_methods', 'SHIPPING_METHOD');
-- Orders count the uses.
CALL "keep_history"('promo_codes', 'PROMO_CODE', 'id', '{key,uses}');
CALL "keep_history"('roles', 'ROLE');
CALL "keep_history"('memberships', 'MEMBERSHIP', 'user_id');
CALL "keep_history"('products', 'PRODUCT');
-- The ledger of stock tells of quantities, and the product's own change of new variants.
CALL "keep_history"('variants', 'VARIANT', 'id', '{quantity,position}', '{}', false);
CALL "keep_history"('orders', 'ORDER', 'id', '{claimed_until,held_from}', '{"blocks": "PERSONAL"}');
CALL "keep_history"('collections', 'COLLECTION');
CALL "keep_history"('entries', 'ENTRY', 'id', '{slugs}');
CALL "keep_history"('subscriptions', 'SUBSCRIPTION', 'id', '{key}', '{"email": "PERSONAL", "name": "PERSONAL"}');
CALL "keep_history"('newsletter_sends', 'NEWSLETTER_SEND', 'id', '{content,recipients,sent,failed,started_at,finished_at}');
CALL "keep_history"('webhook_endpoints', 'WEBHOOK_ENDPOINT', 'id', '{previous_secret,previous_secret_until,failing_since}', '{"secret": "SECRET"}');

-- Only what has grown old goes, and only by the job that sweeps.
CREATE FUNCTION "guard_history"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND ("change_author"()->>'sweeping')::boolean THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'The history of changes is append-only.' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER "guard_history" AFTER UPDATE OR DELETE OR TRUNCATE ON "changes"
  FOR EACH STATEMENT EXECUTE FUNCTION "guard_history"();
