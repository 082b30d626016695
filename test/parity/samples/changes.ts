/** Samples of the history: what a record of another sample went through. */
import type { Samples } from '../fixtures.ts';

export const domain: Samples = {
  samples: {
    ListChanges: ({ shop }) => ({
      path: { businessId: shop.businessId },
      query: { limit: 3, kind: 'ROLE', since: 1 },
    }),
  },
};
