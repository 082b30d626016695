-- CreateEnum
CREATE TYPE "RenewalState" AS ENUM ('ACTIVE', 'PAST_DUE', 'ENDED');

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "cancel_at_period_end" BOOLEAN,
ADD COLUMN     "check_at" BIGINT,
ADD COLUMN     "current_period_end" BIGINT,
ADD COLUMN     "current_period_start" BIGINT,
ADD COLUMN     "grace_until" BIGINT,
ADD COLUMN     "next_plan_id" TEXT,
ADD COLUMN     "recurring_id" TEXT,
ADD COLUMN     "renewal_state" "RenewalState";

-- CreateTable
CREATE TABLE "renewal_endings" (
    "recurring_id" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "try_at" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "renewal_endings_pkey" PRIMARY KEY ("recurring_id")
);

-- CreateTable
CREATE TABLE "sandbox_subscriptions" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "state" "RenewalState" NOT NULL DEFAULT 'ACTIVE',
    "anchor" BIGINT NOT NULL,
    "number" INTEGER NOT NULL DEFAULT 1,
    "cancel_at_period_end" BOOLEAN NOT NULL DEFAULT false,
    "failing" BOOLEAN NOT NULL DEFAULT false,
    "bill_id" TEXT,
    "due_at" BIGINT NOT NULL,

    CONSTRAINT "sandbox_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "renewal_endings_try_at_idx" ON "renewal_endings"("try_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_subscriptions_session_id_key" ON "sandbox_subscriptions"("session_id");

-- CreateIndex
CREATE INDEX "sandbox_subscriptions_state_due_at_idx" ON "sandbox_subscriptions"("state", "due_at");

-- lint: allow index: building it reads the subscriptions once, about a second for a million
-- CreateIndex
CREATE INDEX "subscriptions_check_at_idx" ON "subscriptions"("check_at");

-- A subscription that is deleted, by whatever statement or cascade, is renewed no more: its provider is told by a job.
CREATE FUNCTION "end_renewal_of_deleted"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "renewal_endings" ("recurring_id") VALUES (OLD."recurring_id") ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER "end_renewal_of_deleted" AFTER DELETE ON "subscriptions" FOR EACH ROW
WHEN (OLD."recurring_id" IS NOT NULL AND OLD."renewal_state" <> 'ENDED') EXECUTE FUNCTION "end_renewal_of_deleted"();

CALL "keep_history"('subscriptions', 'SUBSCRIPTION', 'id', '{key,check_at}', '{"email": "PERSONAL", "name": "PERSONAL"}');
