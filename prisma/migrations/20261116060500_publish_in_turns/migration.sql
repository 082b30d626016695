-- What is due is found business by business, so that nobody waits for the plans of another.
-- lint: allow index: hardly any entry has a plan, it is made by one reading of the table
CREATE INDEX "entries_planned_idx" ON "entries" ("business_id", (LEAST("publish_at", "unpublish_at"))) WHERE LEAST("publish_at", "unpublish_at") IS NOT NULL;

DROP INDEX "entries_due_idx";
