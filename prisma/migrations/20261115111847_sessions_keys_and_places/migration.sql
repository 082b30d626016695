-- DropForeignKey
ALTER TABLE "security_events" DROP CONSTRAINT "security_events_user_id_fkey";

-- AlterTable
ALTER TABLE "api_tokens" ADD COLUMN     "expires_at" BIGINT,
ADD COLUMN     "last_used_at" BIGINT,
ADD COLUMN     "permissions" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "restricted" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "given_by" UUID;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "address" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "last_seen_at" BIGINT;

-- CreateTable
CREATE TABLE "revoked_sessions" (
    "id" UUID NOT NULL,
    "revoked_at" BIGINT NOT NULL,

    CONSTRAINT "revoked_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "known_places" (
    "user_id" UUID NOT NULL,
    "place" TEXT NOT NULL,
    "last_seen_at" BIGINT NOT NULL,

    CONSTRAINT "known_places_pkey" PRIMARY KEY ("user_id","place")
);

-- CreateIndex
CREATE INDEX "revoked_sessions_revoked_at_idx" ON "revoked_sessions"("revoked_at");

-- CreateIndex
CREATE INDEX "known_places_last_seen_at_idx" ON "known_places"("last_seen_at");

-- AddForeignKey
ALTER TABLE "known_places" ADD CONSTRAINT "known_places_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Where people have signed in from lately is known already: nobody is told of it as if it were new.
INSERT INTO "known_places" ("user_id", "place", "last_seen_at")
SELECT e."user_id", e."address", max(e."created_at")
FROM "security_events" e JOIN "users" u ON u."id" = e."user_id"
WHERE e."type" = 'SIGNED_IN' AND NOT u."is_guest"
GROUP BY e."user_id", e."address";

-- Whoever ends a session, by whatever statement, every process hears of it (src/auth/revocations.ts).
CREATE FUNCTION "note_revoked_session"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."expires_at" IS NULL OR OLD."expires_at" > extract(epoch FROM now()) THEN
    INSERT INTO "revoked_sessions" ("id", "revoked_at")
    VALUES (OLD."id", extract(epoch FROM clock_timestamp())::BIGINT) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('duet_revoked', OLD."id"::TEXT);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "note_revoked" AFTER DELETE ON "sessions"
  FOR EACH ROW EXECUTE FUNCTION "note_revoked_session"();
