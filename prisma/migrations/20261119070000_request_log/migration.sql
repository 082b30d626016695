-- CreateTable
CREATE TABLE "request_log" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "request_id" TEXT NOT NULL,
    "protocol" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "is_write" BOOLEAN NOT NULL,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "details" JSONB,
    "duration_ms" DOUBLE PRECISION NOT NULL,
    "caller" TEXT NOT NULL,
    "user_id" UUID,
    "key_id" TEXT,
    "client_name" TEXT,
    "api_version" TEXT,
    "is_member" BOOLEAN NOT NULL,
    "body" JSONB,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "request_log_settings" (
    "business_id" UUID NOT NULL,
    "bodies_until" BIGINT NOT NULL DEFAULT 0,
    "skipped_day" BIGINT NOT NULL DEFAULT 0,
    "skipped_count" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "request_log_settings_pkey" PRIMARY KEY ("business_id")
);

-- CreateIndex
CREATE INDEX "request_log_business_id_id_idx" ON "request_log"("business_id", "id");

-- CreateIndex
CREATE INDEX "request_log_created_at_idx" ON "request_log"("created_at");

-- CreateIndex
CREATE INDEX "request_log_user_id_idx" ON "request_log"("user_id");

-- AddForeignKey
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "request_log_settings" ADD CONSTRAINT "request_log_settings_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;
