/** Groups the logged requests of a business: errors by operation and code, and clients by API version. */
import type { Context } from '../../context.ts';
import { isId, lowestIdAt } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { loadUserAndApiKeyNames } from '../users/people/user-and-api-key-names.ts';
import { findErrorAdvice } from './error-advice.ts';
import type { StoredRequest } from './model.ts';
import type { SummarizeRequestsArgs } from './schemas.ts';

export interface RequestErrorGroup extends Pick<StoredRequest, 'protocol' | 'operation'> {
  code: string;
  /** Of the last request. */
  message?: string | undefined;
  requests: number;
  clients: number;
  firstAt: number;
  lastAt: number;
  lastRequestId: string;
  advice?: string | undefined;
}

export interface RequestClientGroup
  extends Pick<StoredRequest, 'caller' | 'protocol' | 'clientName' | 'keyId' | 'apiVersion'> {
  keyName?: string | undefined;
  requests: number;
  errors: number;
  lastAt: number;
}

const maxGroups = 100;
const maxClients = 200;

const firstId = (days: number) => lowestIdAt(now() - days * 86_400);
const ownerOf = (businessId: string) => (isId(businessId) ? businessId : null);

export async function listRequestErrors(
  { db }: Context,
  { businessId, days }: SummarizeRequestsArgs,
): Promise<RequestErrorGroup[]> {
  const groups = await db.sql<RequestErrorGroup>(
    `select protocol, operation, code, count(*)::int as requests,
       count(distinct coalesce(key_id, user_id::text, client_name, caller))::int as clients,
       min(created_at) as "firstAt", max(created_at) as "lastAt",
       (array_agg(request_id order by id desc))[1] as "lastRequestId", (array_agg(message order by id desc))[1] as message
     from request_log where business_id = $1 and id >= $2::uuid and code is not null
     group by protocol, operation, code order by count(*) desc, max(created_at) desc limit $3`,
    [ownerOf(businessId), firstId(days), maxGroups],
  );
  return groups.map((group) => ({
    ...group,
    message: group.message ?? undefined,
    advice: findErrorAdvice(group.code),
  }));
}

/** Members are listed by API key or client name; all other callers only by kind and client name. */
export async function listRequestClients(
  { db }: Context,
  { businessId, days }: SummarizeRequestsArgs,
): Promise<RequestClientGroup[]> {
  const clients = await db.sql<RequestClientGroup & { userId: string | null }>(
    `select caller, protocol, client_name as "clientName", case when is_member then key_id end as "keyId",
       case when is_member and key_id is not null then user_id end as "userId", api_version as "apiVersion",
       count(*)::int as requests, count(code)::int as errors, max(created_at) as "lastAt"
     from request_log where business_id = $1 and id >= $2::uuid
     group by 1, 2, 3, 4, 5, 6 order by count(*) desc, max(created_at) desc limit $3`,
    [ownerOf(businessId), firstId(days), maxClients],
  );
  const people = await loadUserAndApiKeyNames(db, [
    ...new Set(clients.flatMap(({ userId }) => userId ?? [])),
  ]);
  return clients.map(({ userId, clientName, keyId, apiVersion, ...client }) => ({
    ...client,
    clientName: clientName ?? undefined,
    keyId: keyId ?? undefined,
    apiVersion: apiVersion ?? undefined,
    keyName: userId && keyId ? people.get(userId)?.keys[keyId] : undefined,
  }));
}
