/** Samples of the change history, for a record of another sample. */
import type { Samples } from '../fixtures.ts';

export const domain: Samples = {
  samples: {
    ListChanges: ({ shop }) => ({
      path: { businessId: shop.businessId },
      query: { limit: 3, kind: 'ROLE', since: 1 },
    }),
  },
};
