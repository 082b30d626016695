-- Write fences of the reason SNAPSHOT end after ten seconds, also if the process that set them was killed.
CREATE OR REPLACE FUNCTION "enforce_write_fence"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
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
  IF EXISTS (SELECT FROM "business_write_fences" f WHERE f."business_id" = "business"
      AND (f."reason" <> 'SNAPSHOT' OR f."since" > extract(epoch FROM clock_timestamp()) - 10)) THEN
    RAISE EXCEPTION 'This server accepts no writes of business %: it is being moved, or lives on another server.', "business"
      USING ERRCODE = 'DU001';
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;
