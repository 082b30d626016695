/** Samples of the request log. Entries are written in the background, so both protocols return those that `prepare` added. */
import { newId } from '../../../src/lib/ids.ts';
import { demoShopIdsAndLogins } from '../../../src/seed/shop-data.ts';
import type { Samples, World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });

export const domain: Samples = {
  async prepare(t, { shop }) {
    await t.db.write(
      `insert into request_log (id, business_id, request_id, protocol, method, operation, path, is_write, status, code, message, details,
         duration_ms, caller, is_member, created_at)
       values ($1, $2, 'r1', 'REST', 'GET', 'GET /v1/businesses/{businessId}/products', '/v1', false, 422, 'VALIDATION_FAILED', 'Invalid.',
         '[]', 1.5, 'ANONYMOUS', false, 1700000000)`,
      [newId(), shop.businessId],
    );
  },
  samples: {
    ListRequests: (world) => ({ path: inShop(world), query: { limit: 2, failed: true, protocol: 'REST' } }),
    ListRequestErrors: (world) => ({ path: inShop(world), query: { days: 7 } }),
    ListRequestClients: (world) => ({ path: inShop(world), query: { days: 7 } }),
    GetRequestLogSettings: (world) => ({ path: inShop(world) }),
    UpdateRequestLogSettings: (world) => ({ path: inShop(world), body: { recordBodies: false } }),
  },
  demo: {
    ids: { businessId: demoShopIdsAndLogins.businessId },
  },
};
