-- What live subscriptions hear of: `<kind> <business> <record> <part>` on the channel duet_live, with the commit that made
-- the change, whichever process and use case made it.

-- Commits that notify wait for each other, so nothing is sent while nobody listens. Whoever listens holds every one of these
-- locks (src/db/listen.ts), or is this very session (PGlite, src/db/embedded.ts). A listener that comes now waits for our commit
-- before it reads, so it cannot miss us; another writer in our slot notifies for nothing, which does no harm.
CREATE FUNCTION "is_heard"() RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  RETURN NOT pg_try_advisory_xact_lock(4478332, pg_backend_pid() % 32)
    OR coalesce(current_setting('duet.listening', true), '') = 'on';
END
$$;

CREATE FUNCTION "announce_order"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "is_heard"() THEN
    IF TG_OP = 'DELETE' THEN
      PERFORM pg_notify('duet_live', concat_ws(' ', 'order', OLD."business_id", OLD."id", OLD."id"));
    ELSE
      PERFORM pg_notify('duet_live', concat_ws(' ', 'order', NEW."business_id", NEW."id", NEW."id"));
    END IF;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "announce_added_or_removed" AFTER INSERT OR DELETE ON "orders"
  FOR EACH ROW EXECUTE FUNCTION "announce_order"();

-- Every change that callers see grows the version; claims of the expiry job do not.
CREATE TRIGGER "announce_changed" AFTER UPDATE ON "orders"
  FOR EACH ROW WHEN (OLD."version" IS DISTINCT FROM NEW."version"
    OR OLD."status" IS DISTINCT FROM NEW."status" OR OLD."payment_status" IS DISTINCT FROM NEW."payment_status")
  EXECUTE FUNCTION "announce_order"();

CREATE FUNCTION "announce_refund"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "is_heard"() THEN
    PERFORM pg_notify('duet_live', concat_ws(' ', 'order', o."business_id", o."id", o."id"))
      FROM "orders" o WHERE o."id" = NEW."order_id";
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "announce_changed" AFTER INSERT OR UPDATE OF "status" ON "refunds"
  FOR EACH ROW EXECUTE FUNCTION "announce_refund"();

CREATE FUNCTION "announce_stock"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "is_heard"() THEN
    PERFORM pg_notify('duet_live', concat_ws(' ', 'stock', NEW."business_id", NEW."product_id", NEW."id"));
  END IF;
  RETURN NULL;
END
$$;

-- A new variant is a new product, or part of a changed one: no level that somebody knew has changed.
CREATE TRIGGER "announce_changed" AFTER UPDATE OF "tracked", "quantity", "low_stock_threshold" ON "variants"
  FOR EACH ROW WHEN ((OLD."tracked", OLD."quantity", OLD."low_stock_threshold")
    IS DISTINCT FROM (NEW."tracked", NEW."quantity", NEW."low_stock_threshold"))
  EXECUTE FUNCTION "announce_stock"();
