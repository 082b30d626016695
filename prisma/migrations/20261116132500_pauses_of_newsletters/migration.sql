-- AlterTable
ALTER TABLE "newsletter_sends" ADD COLUMN     "paused_until" BIGINT NOT NULL DEFAULT 0;

CALL "keep_history"('newsletter_sends', 'NEWSLETTER_SEND', 'id', '{content,recipients,sent,failed,started_at,finished_at,turn_at,paused_until}');
