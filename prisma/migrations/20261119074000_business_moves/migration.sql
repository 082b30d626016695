-- Directory, fences and columns for moving a business to another server. Nothing changes for one server: all columns are null.
-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "payment_events" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "put_aside" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "sandbox_payments" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "sandbox_subscriptions" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "bulk_errors" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "entry_drafts" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "entry_versions" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "media_unused" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "newsletter_recipients" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "payment_attempts" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "promo_claims" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "business_id" UUID;

-- AlterTable
ALTER TABLE "renewal_endings" ADD COLUMN     "business_id" UUID;

-- CreateTable
CREATE TABLE "business_placements" (
    "business_id" UUID NOT NULL,
    "shard" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'ACTIVE',
    "target" TEXT,
    "version" BIGINT NOT NULL DEFAULT 1,
    "updated_at" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "business_placements_pkey" PRIMARY KEY ("business_id")
);

-- CreateTable
CREATE TABLE "business_write_fences" (
    "business_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "since" BIGINT NOT NULL,

    CONSTRAINT "business_write_fences_pkey" PRIMARY KEY ("business_id")
);

-- CreateTable
CREATE TABLE "business_moves" (
    "business_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "report" JSONB NOT NULL DEFAULT '{}',
    "started_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "business_moves_pkey" PRIMARY KEY ("business_id")
);

-- CreateIndex
CREATE INDEX "business_placements_shard_idx" ON "business_placements"("shard");

-- Everything below has no effect until the first `duet move`, which enables it on both servers, one table after the other.

CREATE FUNCTION "notify_business_placement"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('duet_placements', coalesce(NEW."business_id", OLD."business_id")::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER "notify_change" AFTER INSERT OR UPDATE OR DELETE ON "business_placements"
  FOR EACH ROW EXECUTE FUNCTION "notify_business_placement"();

-- DU001: the writer retries, and finds the business on its new server. The argument is the column of the business.
CREATE FUNCTION "enforce_write_fence"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "business" UUID;
BEGIN
  IF TG_ARGV[0] = 'id' THEN
    "business" := coalesce(NEW."id", OLD."id");
  ELSIF TG_ARGV[0] = 'text' THEN
    -- An empty text or a text that is not an id: no business.
    "business" := CASE WHEN length(coalesce(NEW."business_id", OLD."business_id")) = 36
      THEN coalesce(NEW."business_id", OLD."business_id") END;
  ELSE
    "business" := coalesce(NEW."business_id", OLD."business_id");
  END IF;
  IF EXISTS (SELECT FROM "business_write_fences" f WHERE f."business_id" = "business") THEN
    RAISE EXCEPTION 'This server accepts no writes of business %: it is being moved, or lives on another server.', "business"
      USING ERRCODE = 'DU001';
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;

-- Rows whose business follows from another row. Rows without such a parent have no business.
CREATE FUNCTION "fill_business_id"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'bulk_errors' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "bulk_operations" WHERE "id" = NEW."operation_id";
    WHEN 'promo_claims' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "promo_codes" WHERE "id" = NEW."promo_code_id";
    WHEN 'entry_versions' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "entries" WHERE "id" = NEW."entry_id";
    WHEN 'entry_drafts' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "entries" WHERE "id" = NEW."id";
    WHEN 'media_unused' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "media" WHERE "id" = NEW."media_id";
    WHEN 'newsletter_recipients' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "newsletter_sends" WHERE "id" = NEW."send_id";
    WHEN 'payment_attempts' THEN
      SELECT coalesce((SELECT "business_id" FROM "orders" WHERE "id" = NEW."subject_id"),
        (SELECT "business_id" FROM "subscriptions" WHERE "id" = NEW."subject_id")) INTO NEW."business_id";
    WHEN 'refunds' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "payment_attempts" WHERE "id" = NEW."attempt_id";
    WHEN 'payment_events' THEN
      SELECT coalesce(
        (SELECT "business_id" FROM "payment_attempts" WHERE "reference" = split_part(NEW."reference", '#', 1)),
        (SELECT "business_id" FROM "payment_attempts" WHERE "payment_id" = NEW."payment_id" LIMIT 1)) INTO NEW."business_id";
    WHEN 'sandbox_payments' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "payment_attempts" WHERE "reference" = split_part(NEW."reference", '#', 1);
    WHEN 'sandbox_subscriptions' THEN
      SELECT "business_id" INTO NEW."business_id" FROM "sandbox_payments" WHERE "id" = NEW."session_id";
    WHEN 'put_aside' THEN
      IF NEW."id" ~ '^[0-9a-f-]{36}$' THEN
        SELECT coalesce((SELECT "business_id" FROM "refunds" WHERE "id" = NEW."id"::uuid),
          (SELECT "business_id" FROM "webhook_deliveries" WHERE "id" = NEW."id"::uuid)) INTO NEW."business_id";
      END IF;
  END CASE;
  RETURN NEW;
END
$$;

-- Idempotent, for one table, because each CREATE TRIGGER waits for the transactions that write the table, and blocks later ones meanwhile.
CREATE PROCEDURE "enable_write_fence"("of" REGCLASS) LANGUAGE plpgsql AS $$
DECLARE
  "column" TEXT := CASE
    WHEN "of" = 'businesses'::regclass THEN 'id'
    WHEN (SELECT "atttypid" FROM pg_attribute WHERE "attrelid" = "of" AND "attname" = 'business_id') = 'text'::regtype THEN 'text'
    ELSE 'business_id' END;
BEGIN
  IF "of" IN ('bulk_errors'::regclass, 'promo_claims'::regclass, 'entry_versions'::regclass, 'entry_drafts'::regclass,
      'media_unused'::regclass, 'newsletter_recipients'::regclass, 'payment_attempts'::regclass, 'refunds'::regclass,
      'payment_events'::regclass, 'sandbox_payments'::regclass, 'sandbox_subscriptions'::regclass, 'put_aside'::regclass)
    AND NOT EXISTS (SELECT FROM pg_trigger WHERE "tgrelid" = "of" AND "tgname" = 'fill_business_id') THEN
    EXECUTE format('CREATE TRIGGER "fill_business_id" BEFORE INSERT ON %s FOR EACH ROW WHEN (NEW."business_id" IS NULL)
      EXECUTE FUNCTION "fill_business_id"()', "of");
  END IF;
  -- Triggers run in the order of their names: after "fill_business_id".
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE "tgrelid" = "of" AND "tgname" = 'write_fence') THEN
    EXECUTE format('CREATE TRIGGER "write_fence" BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW
      EXECUTE FUNCTION "enforce_write_fence"(%L)', "of", "column");
  END IF;
END
$$;

-- The subscription is gone when its cancellation is read.
CREATE OR REPLACE FUNCTION "queue_renewal_cancellation"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "renewal_endings" ("recurring_id", "business_id") VALUES (OLD."recurring_id", OLD."business_id") ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
