-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "rotated_at" BIGINT,
ADD COLUMN     "rotations" INTEGER NOT NULL DEFAULT 0;
