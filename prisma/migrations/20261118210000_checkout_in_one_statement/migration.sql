-- Only functions: no table is locked. Processes of the previous version do not call the new one, and the other one returns the same.
-- Rolls a statement back unless it changed as many rows as it must. For statements that write several tables under conditions.
CREATE FUNCTION "assert_row_count"("actual" BIGINT, "expected" BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  IF "actual" IS DISTINCT FROM "expected" THEN
    RAISE EXCEPTION 'The statement changed % of % rows.', "actual", "expected" USING ERRCODE = 'no_data_found';
  END IF;
  RETURN true;
END
$$;

-- The same values as before. The cases of audit_value are written out, because PostgreSQL calls a function per field that it cannot inline.
CREATE OR REPLACE FUNCTION "audit_snapshot"("record" JSONB, "ignored" TEXT[], "hidden" JSONB) RETURNS JSONB LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  "fields" JSONB := "audit_fields"("record", "ignored");
  "whole" BOOLEAN := octet_length("fields"::text) <= 4000;
BEGIN
  IF "hidden" = '{}' AND "whole" THEN
    RETURN "fields";
  END IF;
  RETURN "fields" || coalesce((
    SELECT jsonb_object_agg(f."key", jsonb_build_object('omitted', coalesce("hidden"->f."key", '"TOO_LONG"')))
    FROM jsonb_each("fields") f
    WHERE f."value" NOT IN ('null', '""', '[]')
      AND ("hidden" ? f."key" OR (NOT "whole" AND octet_length(f."value"::text) > 4000))), '{}');
END
$$;
