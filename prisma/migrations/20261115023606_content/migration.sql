-- CreateEnum
CREATE TYPE "SubscriptionStatus" AS ENUM ('PENDING', 'ACTIVE', 'CANCELLED', 'UNSUBSCRIBED');

-- CreateEnum
CREATE TYPE "NewsletterSendStatus" AS ENUM ('SCHEDULED', 'SENDING', 'SENT');

-- CreateEnum
CREATE TYPE "NewsletterRecipientStatus" AS ENUM ('WAITING', 'SENT', 'FAILED', 'SKIPPED');

-- CreateTable
CREATE TABLE "collections" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "statuses" JSONB NOT NULL,
    "status" TEXT NOT NULL GENERATED ALWAYS AS ("statuses" -> -1 ->> 'status') STORED,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "collections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "entries" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "collection_id" UUID GENERATED ALWAYS AS (CASE WHEN "owner" LIKE 'collection:%' THEN substr("owner", 12)::uuid END) STORED,
    "locale" TEXT NOT NULL,
    "blocks" JSONB NOT NULL,
    "slugs" JSONB NOT NULL GENERATED ALWAYS AS (jsonb_path_query_array("blocks", '$[*] ? (@.id == "slug").value.**{0 to 1} ? (@.type() == "string")')) STORED,
    "statuses" JSONB NOT NULL,
    "status" TEXT NOT NULL GENERATED ALWAYS AS ("statuses" -> -1 ->> 'status') STORED,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "plan_id" TEXT,
    "market" TEXT,
    "status" "SubscriptionStatus" NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "session_plan_id" TEXT,
    "session_id" TEXT,
    "session_url" TEXT,
    "session_expires_at" BIGINT,
    "payment_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "newsletter_sends" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "entry_id" UUID NOT NULL,
    "status" "NewsletterSendStatus" NOT NULL,
    "scheduled_at" BIGINT NOT NULL,
    "content" JSONB,
    "recipients" INTEGER NOT NULL DEFAULT 0,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "created_at" BIGINT NOT NULL,
    "started_at" BIGINT,
    "finished_at" BIGINT,

    CONSTRAINT "newsletter_sends_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "newsletter_recipients" (
    "send_id" UUID NOT NULL,
    "subscription_id" UUID NOT NULL,
    "status" "NewsletterRecipientStatus" NOT NULL DEFAULT 'WAITING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "free_at" BIGINT NOT NULL DEFAULT 0,
    "claim" UUID,
    "error" TEXT,

    CONSTRAINT "newsletter_recipients_pkey" PRIMARY KEY ("send_id","subscription_id")
);

-- CreateIndex
CREATE INDEX "collections_business_id_id_idx" ON "collections"("business_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "collections_business_id_slug_key" ON "collections"("business_id", "slug");

-- CreateIndex
CREATE INDEX "entries_business_id_id_idx" ON "entries"("business_id", "id");

-- CreateIndex
CREATE INDEX "entries_business_id_owner_id_idx" ON "entries"("business_id", "owner", "id");

-- CreateIndex
CREATE INDEX "entries_business_id_status_id_idx" ON "entries"("business_id", "status", "id");

-- CreateIndex
CREATE INDEX "entries_collection_id_id_idx" ON "entries"("collection_id", "id");

-- CreateIndex
CREATE INDEX "entries_slugs_idx" ON "entries" USING GIN ("slugs" jsonb_ops);

-- CreateIndex
CREATE INDEX "subscriptions_collection_id_id_idx" ON "subscriptions"("collection_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_collection_id_key_key" ON "subscriptions"("collection_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "newsletter_sends_entry_id_key" ON "newsletter_sends"("entry_id");

-- CreateIndex
CREATE INDEX "newsletter_sends_collection_id_idx" ON "newsletter_sends"("collection_id");

-- CreateIndex
CREATE INDEX "newsletter_recipients_subscription_id_idx" ON "newsletter_recipients"("subscription_id");

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "entries" ADD CONSTRAINT "entries_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "entries" ADD CONSTRAINT "entries_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "newsletter_sends" ADD CONSTRAINT "newsletter_sends_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "newsletter_sends" ADD CONSTRAINT "newsletter_sends_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "newsletter_sends" ADD CONSTRAINT "newsletter_sends_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "newsletter_recipients" ADD CONSTRAINT "newsletter_recipients_send_id_fkey" FOREIGN KEY ("send_id") REFERENCES "newsletter_sends"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "newsletter_recipients" ADD CONSTRAINT "newsletter_recipients_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscriptions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.

-- Only what is still to be sent is looked for.
CREATE INDEX "newsletter_recipients_waiting_idx" ON "newsletter_recipients"("send_id", "free_at") WHERE "status" = 'WAITING';
