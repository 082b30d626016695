-- CreateEnum
CREATE TYPE "WebhookEndpointStatus" AS ENUM ('ACTIVE', 'DISABLED');

-- CreateEnum
CREATE TYPE "WebhookDisabledReason" AS ENUM ('MANUAL', 'GONE', 'FAILING');

-- CreateEnum
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT[],
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_until" BIGINT,
    "status" "WebhookEndpointStatus" NOT NULL DEFAULT 'ACTIVE',
    "disabled_reason" "WebhookDisabledReason",
    "failing_since" BIGINT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "status" "WebhookDeliveryStatus" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" BIGINT NOT NULL,
    "last_attempt_at" BIGINT,
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "last_response" TEXT,
    "last_duration_ms" INTEGER,
    "delivered_at" BIGINT,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_business_id_id_idx" ON "webhook_endpoints"("business_id", "id");

-- CreateIndex
CREATE INDEX "webhook_events_business_id_idx" ON "webhook_events"("business_id");

-- CreateIndex
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_business_id_id_idx" ON "webhook_deliveries"("business_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key" ON "webhook_deliveries"("event_id", "endpoint_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.

-- An endpoint's deliveries that are due, oldest first; what is settled is not looked for.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at", "id") WHERE "status" = 'PENDING';

-- The few that failed, to be looked at and replayed.
CREATE INDEX "webhook_deliveries_failed_of_business_idx" ON "webhook_deliveries"("business_id", "id") WHERE "status" = 'FAILED';
CREATE INDEX "webhook_deliveries_failed_of_endpoint_idx" ON "webhook_deliveries"("endpoint_id", "id") WHERE "status" = 'FAILED';

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_disabled_check" CHECK (("status" = 'DISABLED') = ("disabled_reason" IS NOT NULL));

-- Writes events, each with a delivery for every endpoint that wants it, and returns the number of deliveries. Called by the
-- statement that makes the change: where nobody listens that costs a look at an index, where plain SQL would have to
-- prepare three inserts. An endpoint that is deleted in the same moment is passed over: the lock waits for that, where the
-- foreign key would fail. The id of a delivery follows from its event and endpoint, and sorts with the event's.
CREATE FUNCTION "announce_webhook_events"("business" UUID, "events" JSON, "moment" BIGINT) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  written INTEGER;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM webhook_endpoints w WHERE w.business_id = business AND w.status = 'ACTIVE') THEN
    RETURN 0;
  END IF;
  WITH happened AS (
    SELECT (e->>'id')::uuid AS id, e->>'type' AS type, e->'data' AS data,
      ARRAY['*', split_part(e->>'type', '.', 1) || '.*', e->>'type'] AS patterns
    FROM json_array_elements(events) AS list(e)
  ), wanted AS (
    SELECT h.id AS event_id, w.id AS endpoint_id, md5(h.id::text || w.id::text) AS hash
    FROM happened h JOIN webhook_endpoints w ON w.business_id = business AND w.status = 'ACTIVE' AND w.events && h.patterns
    FOR KEY SHARE OF w
  ), announced AS (
    INSERT INTO webhook_events (id, business_id, type, data, created_at)
    SELECT h.id, business, h.type, h.data, moment FROM happened h WHERE h.id IN (SELECT event_id FROM wanted)
  ), addressed AS (
    INSERT INTO webhook_deliveries (id, business_id, event_id, endpoint_id, next_attempt_at, created_at)
    SELECT (left(event_id::text, 19) || '8' || substr(hash, 1, 3) || '-' || substr(hash, 4, 12))::uuid,
      business, event_id, endpoint_id, moment, moment
    FROM wanted
    RETURNING 1
  )
  SELECT count(*) INTO written FROM addressed;
  RETURN written;
END
$$;
