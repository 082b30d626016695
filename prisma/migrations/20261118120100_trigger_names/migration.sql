-- resumable: commits after each table, and continues with the tables that are left when it is run again.
-- Re-creates every trigger under a new name with the function of the migration before. This is a single statement, so that it can commit
-- after each table: it locks one table at a time, for a few milliseconds, and cannot deadlock with running requests. After a lock timeout
-- it is run again, and continues with the tables that are left.
DO $$
DECLARE
  "functions" CONSTANT JSONB := '{
    "announce_order": "notify_order", "announce_refund": "notify_refund", "announce_stock": "notify_stock", "announce_cart": "notify_cart",
    "note_revoked_session": "revoke_deleted_session", "number_order": "assign_order_number",
    "end_renewal_of_deleted": "queue_renewal_cancellation", "note_created": "audit_insert", "note_updated": "audit_update",
    "note_deleted": "audit_delete", "guard_history": "reject_audit_log_change", "never_again": "enforce_min_version",
    "list_product": "index_product", "unlist_products": "unindex_products", "list_stock": "index_product_stock",
    "list_entry": "index_entry", "unlist_entries": "unindex_entries", "sort_entry": "index_entry_sort_keys",
    "keep_entry_version": "save_entry_version", "keep_old_slugs": "save_old_entry_slugs",
    "keep_old_product_slugs": "save_old_product_slug", "keep_media_uses": "update_media_refs",
    "keep_draft_media_uses": "add_draft_media_refs"}';
  "triggers" CONSTANT JSONB := '{
    "announce_added_or_removed": "notify_insert_or_delete", "announce_changed": "notify_change", "announce_removed": "notify_delete",
    "note_revoked": "revoke_session", "number_order": "assign_number", "end_renewal_of_deleted": "cancel_renewal",
    "note_created": "audit_insert", "note_updated": "audit_update", "note_deleted": "audit_delete", "guard_history": "append_only",
    "never_again": "enforce_min_version", "list_added": "index_insert", "list_changed": "index_update", "list_removed": "index_delete",
    "list_stock_added": "index_stock_insert", "list_stock_changed": "index_stock_update", "list_stock_removed": "index_stock_delete",
    "sort_added": "sort_keys_insert", "sort_changed": "sort_keys_update", "version_added": "version_insert",
    "version_changed": "version_update", "slugs_changed": "save_old_slugs", "slug_changed": "save_old_slug",
    "media_named": "media_ref_added", "media_renamed": "media_ref_changed", "media_left": "media_ref_removed"}';
  "tables" REGCLASS[] := ARRAY(SELECT DISTINCT t."tgrelid"::regclass FROM pg_trigger t JOIN pg_proc p ON p."oid" = t."tgfoid"
    WHERE NOT t."tgisinternal" AND p."pronamespace" = current_schema()::regnamespace AND "functions" ? p."proname");
  "table" REGCLASS;
  "old" RECORD;
  "definition" TEXT;
BEGIN
  FOREACH "table" IN ARRAY "tables" LOOP
    FOR "old" IN SELECT t."oid", t."tgname", p."proname" FROM pg_trigger t JOIN pg_proc p ON p."oid" = t."tgfoid"
      WHERE t."tgrelid" = "table" AND NOT t."tgisinternal" AND "functions" ? p."proname"
    LOOP
      "definition" := regexp_replace(pg_get_triggerdef("old"."oid"), '^CREATE TRIGGER \S+',
        format('CREATE TRIGGER %I', coalesce("triggers"->>"old"."tgname", "old"."tgname")));
      "definition" := regexp_replace("definition", '(EXECUTE FUNCTION (?:\S+\.)?)' || "old"."proname" || '\(',
        '\1' || ("functions"->>"old"."proname") || '(');
      EXECUTE format('DROP TRIGGER %I ON %s', "old"."tgname", "table");
      EXECUTE "definition";
    END LOOP;
    COMMIT;
  END LOOP;
END
$$;
