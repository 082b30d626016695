-- Existing memberships count as accepted: they get 0 as a constant default, which rewrites no row and runs no trigger. New rows are null.
ALTER TABLE "memberships" ADD COLUMN     "accepted_at" BIGINT DEFAULT 0;
ALTER TABLE "memberships" ALTER COLUMN "accepted_at" DROP DEFAULT;

CALL "enable_audit_log"('memberships', 'MEMBERSHIP', 'user_id');
