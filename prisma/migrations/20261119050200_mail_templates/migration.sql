-- CreateTable
CREATE TABLE "mail_templates" (
    "id" UUID NOT NULL,
    "business_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "mail_templates_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mail_templates_business_id_kind_locale_key" ON "mail_templates"("business_id", "kind", "locale");

-- AddForeignKey
ALTER TABLE "mail_templates" ADD CONSTRAINT "mail_templates_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "businesses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CALL "enable_min_version"('mail_templates');
CALL "enable_audit_log"('mail_templates', 'MAIL_TEMPLATE');
