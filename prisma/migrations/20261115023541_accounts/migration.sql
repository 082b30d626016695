-- CreateEnum
CREATE TYPE "OneTimePurpose" AS ENUM ('CONFIRM', 'RESET');

-- CreateEnum
CREATE TYPE "SecurityEventType" AS ENUM ('REGISTERED', 'EMAIL_CONFIRMED', 'SIGNED_IN', 'SIGN_IN_FAILED', 'SIGNED_OUT', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'IDENTITY_LINKED', 'PHONE_CONFIRMED', 'KEY_CREATED', 'KEY_REVOKED', 'ROLE_CHANGED');

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "provider_token" TEXT;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "verified_phones" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "one_time_tokens" (
    "jti_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "purpose" "OneTimePurpose" NOT NULL,
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "one_time_tokens_pkey" PRIMARY KEY ("jti_hash")
);

-- CreateTable
CREATE TABLE "oauth_states" (
    "state_hash" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "code_verifier" TEXT NOT NULL,
    "origin_url" TEXT NOT NULL,
    "redirect_url" TEXT NOT NULL,
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "oauth_states_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "login_codes" (
    "code_hash" TEXT NOT NULL,
    "origin_url" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "provider_token" TEXT,
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "login_codes_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "phone_codes" (
    "user_id" UUID NOT NULL,
    "phone_number" TEXT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "phone_codes_pkey" PRIMARY KEY ("user_id","phone_number")
);

-- CreateTable
CREATE TABLE "security_events" (
    "id" UUID NOT NULL,
    "type" "SecurityEventType" NOT NULL,
    "user_id" UUID NOT NULL,
    "actor_id" UUID,
    "business_id" UUID,
    "address" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "security_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "identities_user_id_idx" ON "identities"("user_id");

-- CreateIndex
CREATE INDEX "one_time_tokens_user_id_idx" ON "one_time_tokens"("user_id");

-- CreateIndex
CREATE INDEX "one_time_tokens_expires_at_idx" ON "one_time_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "oauth_states_expires_at_idx" ON "oauth_states"("expires_at");

-- CreateIndex
CREATE INDEX "login_codes_expires_at_idx" ON "login_codes"("expires_at");

-- CreateIndex
CREATE INDEX "phone_codes_expires_at_idx" ON "phone_codes"("expires_at");

-- CreateIndex
CREATE INDEX "security_events_user_id_id_idx" ON "security_events"("user_id", "id");

-- CreateIndex
CREATE INDEX "security_events_business_id_id_idx" ON "security_events"("business_id", "id");

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "phone_codes" ADD CONSTRAINT "phone_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
