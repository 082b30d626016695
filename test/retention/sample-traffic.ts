/** Sample rows for retention tests: creates one row, dated now, in each table with a retention rule. */
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { Shop, TestApp } from '../support/app.ts';

export const day = 86_400;

export function createTraffic(app: TestApp, shop: Shop) {
  /** Inserts a row; omitted columns get their defaults. */
  const add = (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row).join(', ');
    return app.db.write(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1::jsonb)`,
      [JSON.stringify(row)],
    );
  };

  const makers: Record<string, (userId: string) => Promise<unknown>> = {
    idempotency_keys: () =>
      add('idempotency_keys', { caller: newId(), key: 'k', fingerprint: 'f', created_at: now() }),
    sessions: (userId) =>
      add('sessions', {
        id: newId(),
        user_id: userId,
        provider: 'EMAIL',
        jti_hash: newId(),
        created_at: now(),
        expires_at: now() + day,
      }),
    one_time_tokens: (userId) =>
      add('one_time_tokens', {
        jti_hash: newId(),
        user_id: userId,
        purpose: 'RESET',
        expires_at: now() + day,
      }),
    oauth_states: () =>
      add('oauth_states', {
        ...{ state_hash: newId(), nonce: '', code_verifier: '', origin_url: '', redirect_url: '' },
        expires_at: now() + day,
      }),
    login_codes: () =>
      add('login_codes', {
        ...{ code_hash: newId(), origin_url: '', issuer: '', subject: '', email: '', name: '' },
        expires_at: now() + day,
      }),
    phone_codes: (userId) =>
      add('phone_codes', {
        ...{ user_id: userId, phone_number: newId(), code_hash: '', tries: 0 },
        expires_at: now() + day,
      }),
    revoked_sessions: () => add('revoked_sessions', { id: newId(), revoked_at: now() }),
    outbox_messages: () =>
      add('outbox_messages', {
        ...{ id: newId(), kind: 'MAIL', recipient: 'a@x.example', text: '', message_id: newId() },
        ...{ headers: {}, created_at: now() },
      }),
    security_events: (userId) =>
      add('security_events', {
        id: newId(),
        type: 'REGISTERED',
        user_id: userId,
        address: '',
        created_at: now(),
      }),
    payment_events: () =>
      add('payment_events', { provider: 'sandbox', id: newId(), type: 'paid', received_at: now() }),
    webhook_events: () =>
      add('webhook_events', {
        id: newId(),
        business_id: shop.businessId,
        type: 'order.created',
        data: {},
        created_at: now(),
      }),
    carts: () =>
      add('carts', {
        id: newId(),
        business_id: shop.businessId,
        customer_id: newId(),
        market: 'US',
        lines: [],
        blocks: [],
        version: 1,
        created_at: now(),
        updated_at: now(),
      }),
    request_log: () =>
      add('request_log', {
        ...{ id: newId(), business_id: shop.businessId, request_id: 'r', protocol: 'REST', method: 'GET' },
        ...{
          operation: 'GET /',
          path: '/',
          is_write: false,
          status: 200,
          duration_ms: 1,
          caller: 'ANONYMOUS',
        },
        ...{ is_member: false, created_at: now() },
      }),
    usage: () =>
      add('usage', {
        ...{ day: now(), kind: 'ROW', name: 'GET /', client: newId(), user_id: '', business_id: '' },
        ...{ calls: 1, last_at: now() },
      }),
    // The audit trigger writes the row with the time of the transaction; each call creates a new role.
    changes: async () => {
      const role = { id: newId(), business_id: shop.businessId, name: newId(), permissions: [] };
      await add('roles', { ...role, version: 1, created_at: now(), updated_at: now() });
    },
  };

  const place = (userId: string, name: string) =>
    add('known_places', { user_id: userId, place: name, last_seen_at: now() });

  return { add, makers, place };
}
