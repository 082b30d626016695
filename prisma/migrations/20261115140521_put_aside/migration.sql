-- CreateTable
CREATE TABLE "put_aside" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "put_aside_pkey" PRIMARY KEY ("kind","id")
);
