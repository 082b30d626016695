-- A server that takes no writes for a while is read from, as a replica is, and met when it does: only the condition is another one.
CREATE OR REPLACE FUNCTION "meet_database"() RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "here" TEXT := (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
  "next" INTEGER := extract(epoch FROM clock_timestamp() - '2026-01-01Z'::timestamptz);
BEGIN
  IF current_setting('transaction_read_only') = 'off' THEN
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
