/** Samples of imports and exports. Their jobs do not run in the parity test. */
import { randomUUID } from 'node:crypto';
import { disposableRecordIds } from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const operation = (world: World) => ({ path: { ...inShop(world), id: world.ids.bulk ?? '' } });

export const domain: Samples = {
  async prepare(t, world) {
    const path = `/v1/businesses/${world.shop.businessId}/bulk-operations/imports`;
    await createFixture(t, world, 'bulk', path, { resource: 'PRODUCTS' });
    await t.db.prisma.bulkError.create({
      data: {
        id: randomUUID(),
        operationId: world.ids.bulk ?? '',
        line: 17,
        code: 'VALIDATION_FAILED',
        message: 'This field is required.',
        details: [{ field: 'name', error: 'REQUIRED', message: 'This field is required.' }],
      },
    });
  },
  samples: {
    StartImport: (world) => ({ path: inShop(world), body: { resource: 'PRODUCTS', format: 'CSV' } }),
    StartExport: (world) => ({ path: inShop(world), body: { resource: 'PRODUCTS', format: 'JSONL' } }),
    ListBulkOperations: (world) => ({ path: inShop(world), query: { limit: 2, kind: 'IMPORT' } }),
    GetBulkOperation: operation,
    ListBulkErrors: (world) => ({ ...operation(world), query: { limit: 2 } }),
    CancelBulkOperation: operation,
  },
  demo: {
    ids: { bulk: disposableRecordIds.bulkId },
    samples: {
      CancelBulkOperation: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.oldBulkId } }),
    },
  },
};
