-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "public_read" BOOLEAN NOT NULL DEFAULT false;

CALL "enable_audit_log"('businesses', 'BUSINESS');
