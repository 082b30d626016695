-- CreateTable
CREATE TABLE "erasures" (
    "user_id" UUID NOT NULL,
    "contacts" TEXT[],
    "gone_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("user_id")
);
