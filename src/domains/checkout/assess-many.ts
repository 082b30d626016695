/** What several kept carts cost now, of whatever businesses: the database is asked as often as for one. */
import type { Queries } from '../../db/sql.ts';
import { manySellingTerms } from '../businesses/selling-terms.ts';
import { manyGroups } from '../groups/groups-of.ts';
import { anyProductsOf } from '../products/load-products.ts';
import { type Assessment, assessment, groupsAsked } from './assess.ts';
import type { CartRequest } from './cart.ts';

/** By the place of each request; reckoned when it is asked for. */
export async function assessCarts(
  queries: Queries,
  requests: readonly CartRequest[],
): Promise<(place: number) => Assessment> {
  const terms = await manySellingTerms(queries, requests);
  const all = await anyProductsOf(
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
  const asked = known.flatMap(({ request, ...facts }) => groupsAsked(request, facts));
  const groupsOf = await manyGroups(queries, requests, [...new Set(asked)]);
  return (place) => {
    const one = known[place];
    if (!one) throw new Error('no such cart');
    const { request, ...facts } = one;
    return assessment(request, { ...facts, groups: groupsOf(request) });
  };
}
