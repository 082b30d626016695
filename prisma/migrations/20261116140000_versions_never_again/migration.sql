-- CreateTable
CREATE TABLE "lineage" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "identity" TEXT,
    "least_version" INTEGER NOT NULL DEFAULT 1,
    "most_version" INTEGER NOT NULL DEFAULT 100000,

    CONSTRAINT "lineage_pkey" PRIMARY KEY ("id")
);

INSERT INTO "lineage" DEFAULT VALUES;

-- The least version that a change gives to a record. A database that was restored, or a replica that was promoted, is another one than
-- whoever met it last has seen: the versions that were given meanwhile elsewhere are not known here. They are passed by, both those
-- that a hundred thousand more changes of one record would give, and those of one change of it in every second since 2026.
CREATE FUNCTION "meet_database"() RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "here" TEXT := (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
  "next" INTEGER := extract(epoch FROM clock_timestamp() - '2026-01-01Z'::timestamptz);
BEGIN
  IF NOT pg_is_in_recovery() THEN
    BEGIN
      "here" := concat_ws(' ', "here", (SELECT "system_identifier" FROM pg_control_system()),
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8));
    EXCEPTION WHEN OTHERS THEN
      -- Some vendors keep this to themselves.
      NULL;
    END;
    UPDATE "lineage" SET "identity" = "here" WHERE "identity" IS NULL;
    UPDATE "lineage" SET "identity" = "here", "least_version" = greatest("next", "most_version" + 100000),
      "most_version" = greatest("next", "most_version" + 100000) + 100000 WHERE "identity" <> "here";
  END IF;
  RETURN (SELECT "least_version" FROM "lineage");
END
$$;

CREATE FUNCTION "never_again"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "given" "lineage";
BEGIN
  SELECT * INTO "given" FROM "lineage";
  NEW."version" := greatest(NEW."version", "given"."least_version");
  -- In steps, so that hardly anybody has to wait for this row.
  IF NEW."version" > "given"."most_version" THEN
    UPDATE "lineage" SET "most_version" = NEW."version" + 100000 WHERE "most_version" < NEW."version";
  END IF;
  RETURN NEW;
END
$$;

-- For every table whose records have a version, also in later migrations.
CREATE PROCEDURE "never_repeat_versions"("of" REGCLASS) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER "never_again" BEFORE UPDATE OF "version" ON %s
    FOR EACH ROW WHEN (NEW."version" > OLD."version") EXECUTE FUNCTION "never_again"()', "of");
END
$$;

CALL "never_repeat_versions"('businesses');
CALL "never_repeat_versions"('markets');
CALL "never_repeat_versions"('shipping_methods');
CALL "never_repeat_versions"('promo_codes');
CALL "never_repeat_versions"('roles');
CALL "never_repeat_versions"('carts');
CALL "never_repeat_versions"('collections');
CALL "never_repeat_versions"('entries');
CALL "never_repeat_versions"('entry_drafts');
CALL "never_repeat_versions"('customer_groups');
CALL "never_repeat_versions"('media');
CALL "never_repeat_versions"('orders');
CALL "never_repeat_versions"('products');
CALL "never_repeat_versions"('users');
CALL "never_repeat_versions"('webhook_endpoints');
