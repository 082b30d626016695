-- CreateTable
CREATE TABLE "erasures" (
    "user_id" UUID NOT NULL,
    "contacts" TEXT[],
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("user_id")
);
