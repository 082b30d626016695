-- What is in a cart is told to whoever watches it, as orders are. Nobody watches one that is not there yet.
CREATE FUNCTION "announce_cart"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF "is_heard"() THEN
    PERFORM pg_notify('duet_live', concat_ws(' ', 'cart', OLD."business_id", OLD."id", OLD."id"));
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "announce_removed" AFTER DELETE ON "carts" FOR EACH ROW EXECUTE FUNCTION "announce_cart"();

-- Every change that its owner makes grows the version; that it was abandoned is told to the business otherwise.
CREATE TRIGGER "announce_changed" AFTER UPDATE ON "carts"
  FOR EACH ROW WHEN (OLD."version" IS DISTINCT FROM NEW."version" OR OLD."customer_id" IS DISTINCT FROM NEW."customer_id")
  EXECUTE FUNCTION "announce_cart"();
