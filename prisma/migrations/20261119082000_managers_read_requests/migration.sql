-- MANAGER roles with all permissions that new businesses gave them before REQUESTS_READ existed. Roles that staff restricted stay as they are.
UPDATE "roles" SET "permissions" = "permissions" || 'REQUESTS_READ'::text, "version" = "version" + 1,
  "updated_at" = extract(epoch FROM now())::bigint
WHERE "name" = 'MANAGER' AND NOT 'REQUESTS_READ' = ANY ("permissions")
  AND "permissions" @> ARRAY['PRODUCTS_WRITE', 'ORDERS_READ', 'ORDERS_WRITE', 'CONTENT_WRITE', 'NEWSLETTER_SEND', 'SUBSCRIBERS_READ'];
