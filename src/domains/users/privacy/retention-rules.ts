/** Retention rules of accounts: expired rows, old security events, forgotten sign-in networks, and guests without orders. */
import { revokedSessionCacheSeconds } from '../../../auth/revoked-session-cache.ts';
import { type QueryHandle, type RetentionRule, retentionBatchSize } from '../../../db/index.ts';
import { lowestIdAt } from '../../../lib/ids.ts';
import { knownNetworkLifetimeSeconds } from '../sign-in/known-sign-in-networks.ts';

const day = 86_400;

const expiring = ['sessions', 'one_time_tokens', 'oauth_states', 'login_codes', 'phone_codes'];

export const accountRetentionRules: readonly RetentionRule[] = [
  ...expiring.map(
    (table): RetentionRule => ({ retentionKey: 'expired', table, expiredCondition: 'expires_at < $1' }),
  ),
  { retentionKey: 'securityEvents', table: 'security_events', expiredCondition: 'created_at < $1' },
  {
    retentionKey: 'expired',
    table: 'revoked_sessions',
    expiredCondition: `revoked_at < $1 - ${Math.max(revokedSessionCacheSeconds, 2 * day)}`,
  },
  {
    retentionKey: 'expired',
    table: 'known_places',
    // The most recent one stays: without any known place, a sign-in from a new network would send no mail.
    expiredCondition: `last_seen_at < $1 - ${knownNetworkLifetimeSeconds} and exists (select 1 from known_places n
      where n.user_id = known_places.user_id
        and (n.last_seen_at, n.place) > (known_places.last_seen_at, known_places.place))`,
  },
];

type HaveOrders = (queries: QueryHandle, guests: readonly string[]) => Promise<ReadonlySet<string>>;

/** Guests are candidates for this long after their retention time; those with orders by then are kept permanently. */
const candidateSeconds = 60 * day;

/** Deletes guests without orders and without a session. Returns their number. */
export async function deleteStaleGuests(
  queries: QueryHandle,
  before: number,
  haveOrders: HaveOrders,
): Promise<number> {
  let deletedCount = 0;
  let after = lowestIdAt(before - candidateSeconds);
  for (;;) {
    const guests = await queries.sql<{ id: string }>(
      `select id from users u where id > $1::uuid and id < $2::uuid and is_guest
         and not exists (select 1 from sessions s where s.user_id = u.id)
       order by id limit ${retentionBatchSize}`,
      [after, lowestIdAt(before)],
    );
    const ids = guests.map(({ id }) => id);
    const buyers = ids.length === 0 ? new Set() : await haveOrders(queries, ids);
    deletedCount += (
      await queries.write('delete from users where id = any($1::uuid[]) and is_guest returning 1', [
        ids.filter((id) => !buyers.has(id)),
      ])
    ).length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < retentionBatchSize) return deletedCount;
    after = last;
  }
}
