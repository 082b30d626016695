/** Writes queued log entries: one statement for all rows. */
import {
  buildBusinessExistsConditionSql,
  buildMembershipConditionSql,
} from '../../auth/permission-condition-sql.ts';
import type { QueryHandle } from '../../db/index.ts';

/**
 * Entries of businesses that do not exist are dropped. Membership is looked up at this time, not while the request runs.
 * `rows` are JSON objects of entries.
 */
export async function writeLoggedRequests(queries: QueryHandle, rows: readonly string[]): Promise<void> {
  await queries.write(
    `insert into request_log (id, business_id, request_id, protocol, method, operation, path, is_write, status, code, message, details,
       duration_ms, caller, user_id, key_id, client_name, api_version, is_member, body, created_at)
     select r.id, r."businessId", r."requestId", r.protocol, r.method, r.operation, r.path, r."isWrite", r.status, r.code, r.message,
       r.details, r."durationMs", r.caller, r."userId", r."keyId", r."clientName", r."apiVersion",
       ${buildMembershipConditionSql('r."businessId"', 'r."userId"')}, r.body, r."createdAt"
     from jsonb_to_recordset($1::jsonb) as r(id uuid, "businessId" uuid, "requestId" text, protocol text, method text, operation text,
       path text, "isWrite" boolean, status int, code text, message text, details jsonb, "durationMs" double precision, caller text,
       "userId" uuid, "keyId" text, "clientName" text, "apiVersion" text, body jsonb, "createdAt" bigint)
     where ${buildBusinessExistsConditionSql('r."businessId"')}
     on conflict (id) do nothing`,
    [`[${rows.join(',')}]`],
  );
}
