/** What several kept carts cost now, of whatever businesses: the database is asked as often as for one. */
import type { Queries } from '../../db/handles.ts';
import { loadSellingTermsBatch } from '../businesses/selling-terms.ts';
import { loadGroupsOfCustomers } from '../groups/load-memberships.ts';
import { loadProductsOfBusinesses } from '../products/read/load-products.ts';
import { type CartEvaluation, computeCartEvaluation, pricingGroupIds } from './evaluate-cart.ts';
import type { CartRequest } from './price-cart.ts';

/** By the place of each request; reckoned when it is asked for. */
export async function evaluateCarts(
  queries: Queries,
  requests: readonly CartRequest[],
): Promise<(place: number) => CartEvaluation> {
  const terms = await loadSellingTermsBatch(queries, requests);
  const all = await loadProductsOfBusinesses(
    queries,
    requests.map(({ businessId }) => businessId),
    requests.flatMap(({ lines }) => lines.map(({ productId }) => productId)),
  );
  const known = requests.map((request, place) => {
    const own = request.lines.flatMap(({ productId }) => all.get(productId) ?? []);
    const products = new Map(
      own.filter(({ businessId }) => businessId === request.businessId).map((one) => [one.id, one]),
    );
    const of = terms[place];
    if (!of) throw new Error('terms are told of every cart');
    return { request, products, terms: of };
  });
  const asked = known.flatMap(({ request, ...facts }) => pricingGroupIds(request, facts));
  const groupsOf = await loadGroupsOfCustomers(queries, requests, [...new Set(asked)]);
  return (place) => {
    const one = known[place];
    if (!one) throw new Error('no such cart');
    const { request, ...facts } = one;
    return computeCartEvaluation(request, { ...facts, groups: groupsOf(request) });
  };
}
