-- Storefronts show the branding of their business.
CREATE TRIGGER "purge_insert" AFTER INSERT ON "brandings" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_update" AFTER UPDATE ON "brandings" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
CREATE TRIGGER "purge_delete" AFTER DELETE ON "brandings" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "purge_business"();
