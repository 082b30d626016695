-- CreateTable
CREATE TABLE "entry_versions" (
    "id" UUID NOT NULL,
    "entry_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "locale" TEXT NOT NULL,
    "blocks" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "user_id" UUID,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "entry_versions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "entry_versions_entry_id_version_key" ON "entry_versions"("entry_id", "version");

-- AddForeignKey
ALTER TABLE "entry_versions" ADD CONSTRAINT "entry_versions_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "entries"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows is beyond Prisma's schema language.

CREATE FUNCTION "keep_entry_version"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "author" JSONB := "change_author"();
  "time" BIGINT := "change_time"("author");
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD."locale", OLD."blocks", OLD."status") IS NOT DISTINCT FROM (NEW."locale", NEW."blocks", NEW."status") THEN
    RETURN NULL;
  END IF;
  INSERT INTO "entry_versions" ("id", "entry_id", "version", "locale", "blocks", "status", "actor", "user_id", "created_at")
  VALUES ("change_id"("time"), NEW."id", NEW."version", NEW."locale", NEW."blocks", NEW."status",
    coalesce("author"->>'actor', 'SYSTEM'), ("author"->>'userId')::uuid, "time" / 1000);
  DELETE FROM "entry_versions" WHERE "entry_id" = NEW."id" AND "version" <= (
    SELECT "version" FROM "entry_versions" WHERE "entry_id" = NEW."id" ORDER BY "version" DESC OFFSET 100 LIMIT 1);
  RETURN NULL;
END
$$;

CREATE TRIGGER "version_added" AFTER INSERT ON "entries" FOR EACH ROW EXECUTE FUNCTION "keep_entry_version"();
CREATE TRIGGER "version_changed" AFTER UPDATE OF "locale", "blocks", "statuses" ON "entries"
  FOR EACH ROW EXECUTE FUNCTION "keep_entry_version"();

-- The entries there are, as they are today.
INSERT INTO "entry_versions" ("id", "entry_id", "version", "locale", "blocks", "status", "actor", "created_at")
  SELECT "change_id"("updated_at" * 1000), "id", "version", "locale", "blocks", "status", 'SYSTEM', "updated_at" FROM "entries";
