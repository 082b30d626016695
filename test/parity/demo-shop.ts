/** The demo shop as fixtures: samples in it are the examples of the REST reference. */
import { defaultRoles } from '../../src/auth/permissions-and-default-roles.ts';
import { buildSeedId, demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import type { Example, World } from './fixtures.ts';
import { domains, samples } from './samples/index.ts';

const demoSamples = Object.assign({}, ...domains.map((domain) => domain.demo?.samples)) as Record<
  string,
  (world: World) => Example
>;

const admin = { userId: demoShopIdsAndLogins.adminId, token: '' };

const demoWorld: World = {
  shop: {
    businessId: demoShopIdsAndLogins.businessId,
    admin,
    roles: Object.fromEntries(defaultRoles.map(({ name }, index) => [name, buildSeedId(1, index + 1)])),
  },
  ids: Object.assign(
    { businessId: demoShopIdsAndLogins.businessId },
    ...domains.map((domain) => domain.demo?.ids),
  ),
  viewers: {
    nobody: undefined,
    guest: undefined,
    customer: { userId: demoShopIdsAndLogins.customerId, token: '' },
    admin,
    'foreign admin': undefined,
    'API key': undefined,
  },
};

/** Example of an operation, by its name or by the `operationId` of another path; undefined if there is no sample. */
export const exampleOf = (operation: string): Example | undefined =>
  (demoSamples[operation] ?? samples[operation])?.(demoWorld);
