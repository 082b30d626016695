/** Samples of usage: nothing is written while samples run, so that both voices count the same. */
import type { Samples } from '../fixtures.ts';

export const domain: Samples = {
  samples: {
    ListUsage: ({ shop }) => ({ path: { businessId: shop.businessId }, query: { days: 7, kind: 'ROW' } }),
  },
};
