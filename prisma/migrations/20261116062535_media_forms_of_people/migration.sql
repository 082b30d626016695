-- AlterTable
ALTER TABLE "media" ADD COLUMN     "key_id" UUID,
ADD COLUMN     "user_id" UUID;

CALL "keep_history"('media', 'MEDIA_FILE', 'id', '{key,widths,user_id,key_id}');
