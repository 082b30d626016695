/** Samples of usage statistics: nothing is written while samples run, so that both protocols return the same counts. */
import type { Samples } from '../fixtures.ts';

export const domain: Samples = {
  samples: {
    ListUsage: ({ shop }) => ({ path: { businessId: shop.businessId }, query: { days: 7, kind: 'ROW' } }),
  },
};
