-- CreateTable
CREATE TABLE "usage" (
    "day" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "business_id" TEXT NOT NULL,
    "calls" BIGINT NOT NULL,
    "last_at" BIGINT NOT NULL,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("day","kind","name","client","user_id","business_id")
);

-- CreateIndex
CREATE INDEX "usage_business_id_day_idx" ON "usage"("business_id", "day");

-- CreateIndex
CREATE INDEX "usage_user_id_idx" ON "usage"("user_id");
