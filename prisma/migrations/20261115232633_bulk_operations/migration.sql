-- CreateTable
CREATE TABLE "bulk_operations" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "collection_id" TEXT,
    "user_id" UUID NOT NULL,
    "key_id" UUID,
    "input_key" TEXT,
    "size" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL DEFAULT 0,
    "line" INTEGER NOT NULL DEFAULT 0,
    "cursor" TEXT,
    "parts" JSONB NOT NULL DEFAULT '[]',
    "total" INTEGER,
    "done" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,
    "finished_at" BIGINT,

    CONSTRAINT "bulk_operations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bulk_errors" (
    "id" UUID NOT NULL,
    "operation_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "details" JSONB NOT NULL,

    CONSTRAINT "bulk_errors_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "bulk_operations_business_id_id_idx" ON "bulk_operations"("business_id", "id");

-- CreateIndex
CREATE INDEX "bulk_operations_state_updated_at_idx" ON "bulk_operations"("state", "updated_at");

-- CreateIndex
CREATE INDEX "bulk_errors_operation_id_id_idx" ON "bulk_errors"("operation_id", "id");

-- AddForeignKey
ALTER TABLE "bulk_operations" ADD CONSTRAINT "bulk_operations_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_errors" ADD CONSTRAINT "bulk_errors_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "bulk_operations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
