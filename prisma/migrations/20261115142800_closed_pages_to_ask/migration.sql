-- lint: allow index: the table came with this version and is small
-- Pages that nobody has asked about since they were closed: few, among all that ever were.
CREATE INDEX "payment_attempts_unasked_idx" ON "payment_attempts" ("id")
  WHERE "state" = 'CLOSED' AND "session_id" IS NOT NULL AND ("checked_at" IS NULL OR "checked_at" <= "updated_at");
