-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "creator_hash" TEXT;
