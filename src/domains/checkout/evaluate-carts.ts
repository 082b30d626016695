/** Evaluates several stored carts of any businesses with a constant number of queries. */
import type { QueryHandle } from '../../db/index.ts';
import { loadSellingTermsBatch } from '../businesses/selling-terms.ts';
import { loadGroupNamesOfCustomers } from '../groups/load-group-names-of-customers.ts';
import { loadProductsByBusinessesAndIds } from '../products/read/load-products-of-any-status.ts';
import { type CartEvaluation, computeCartEvaluation, listCartPricingGroupIds } from './evaluate-cart.ts';
import type { CartPricingRequest } from './price-cart.ts';

/** Returns a function from request index to evaluation; each is computed on demand. */
export async function evaluateCarts(
  queries: QueryHandle,
  requests: readonly CartPricingRequest[],
): Promise<(index: number) => CartEvaluation> {
  const terms = await loadSellingTermsBatch(queries, requests);
  const all = await loadProductsByBusinessesAndIds(
    queries,
    requests.map(({ businessId }) => businessId),
    requests.flatMap(({ lines }) => lines.map(({ productId }) => productId)),
  );
  const entries = requests.map((request, index) => {
    const cartProducts = request.lines.flatMap(({ productId }) => all.get(productId) ?? []);
    const products = new Map(
      cartProducts
        .filter(({ businessId }) => businessId === request.businessId)
        .map((product) => [product.id, product]),
    );
    const cartTerms = terms[index];
    if (!cartTerms) throw new Error('Selling terms are missing for a cart.');
    return { request, products, terms: cartTerms };
  });
  const groupIds = entries.flatMap(({ request, ...data }) => listCartPricingGroupIds(request, data));
  const groupsOf = await loadGroupNamesOfCustomers(queries, requests, [...new Set(groupIds)]);
  return (index) => {
    const entry = entries[index];
    if (!entry) throw new Error(`There is no cart with index ${index}.`);
    const { request, ...data } = entry;
    return computeCartEvaluation(request, { ...data, groups: groupsOf(request) });
  };
}
