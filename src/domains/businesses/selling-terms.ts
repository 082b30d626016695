/** Selling terms of a cart or order: business, market, shipping method and promo code, loaded by one statement. */
import type { QueryHandle } from '../../db/index.ts';
import { isId } from '../../lib/ids.ts';
import { type PromoCodeTerms, toPromoCodeKey } from '../pricing/promo-code-eligibility.ts';
import { normalizeMarketCode } from '../pricing/variant-prices-and-snapshot.ts';
import type { CategoryTax, ShippingPrice } from './shipping-price-and-category-tax.ts';

export interface SellingTerms {
  business: { id: string; name: string } | null;
  market: { code: string; currency: string; taxBps: number; taxRates: CategoryTax[] | null } | null;
  shippingMethod: { id: string; name: string; prices: ShippingPrice[] } | null;
  /** Whether any shipping method has a price in this market. */
  shipsHere: boolean;
  promo: PromoCodeTerms | null;
}

export interface SellingTermsRequest {
  businessId: string;
  market: string;
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
  customerId?: string | undefined;
}

export const sellingTermsOfUnknownBusiness: SellingTerms = {
  business: null,
  market: null,
  shippingMethod: null,
  shipsHere: false,
  promo: null,
};

/** SELECT of the terms. Each argument is the SQL of a parameter or column. */
const termsSql = (
  business: string,
  market: string,
  shipping: string,
  promo: string,
  customer: string,
) => `select
  (select json_build_object('id', b.id, 'name', b.name) from businesses b where b.id = ${business}) as business,
  (select json_build_object('code', m.code, 'currency', m.currency, 'taxBps', m.tax_bps, 'taxRates', m.tax_rates)
    from markets m where m.business_id = ${business} and m.key = ${market}) as market,
  (select json_build_object('id', s.id, 'name', s.name, 'prices', s.prices)
    from shipping_methods s where s.business_id = ${business} and s.id = ${shipping}) as "shippingMethod",
  exists (select 1 from shipping_methods s, jsonb_array_elements(s.prices) price
    where s.business_id = ${business} and lower(price->>'marketId') = ${market}) as "shipsHere",
  (select json_build_object('id', c.id, 'code', c.code, 'type', c.type, 'bps', c.bps, 'amount', c.amount,
      'currency', c.currency, 'minSubtotal', c.min_subtotal, 'startsAt', c.starts_at, 'endsAt', c.ends_at,
      'maxUses', c.max_uses, 'maxUsesPerCustomer', c.max_uses_per_customer, 'uses', c.uses,
      'customerUses', (select count(*) from promo_claims k where k.promo_code_id = c.id and k.customer_id = ${customer}))
    from promo_codes c where c.business_id = ${business} and c.key = ${promo}) as promo`;

/** SELECT with the parameters of `sellingTermsParams`; further columns may follow. */
export const sellingTermsSql = termsSql('$1', '$2', '$3', '$4', '$5');
const selectBatch = `select terms.* from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[])
    with ordinality request(business, market, shipping, promo, customer, position)
  cross join lateral (${termsSql('request.business', 'request.market', 'request.shipping', 'request.promo', 'request.customer')}) terms
  order by request.position`;

export const sellingTermsParams = ({
  businessId,
  market,
  shippingMethodId,
  promoCode,
  customerId,
}: SellingTermsRequest) =>
  [
    businessId,
    normalizeMarketCode(market),
    shippingMethodId ?? null,
    promoCode === undefined ? null : toPromoCodeKey(promoCode),
    customerId ?? null,
  ] as const;

export async function loadSellingTerms(
  queries: QueryHandle,
  request: SellingTermsRequest,
): Promise<SellingTerms> {
  if (!isId(request.businessId)) return sellingTermsOfUnknownBusiness;
  const [terms] = await queries.sql<SellingTerms>(sellingTermsSql, sellingTermsParams(request));
  return terms ?? sellingTermsOfUnknownBusiness;
}

/** Terms of several stored carts, in the order of the requests, by one statement. */
export function loadSellingTermsBatch(
  queries: QueryHandle,
  requests: readonly SellingTermsRequest[],
): Promise<SellingTerms[]> {
  const params = requests.map(sellingTermsParams);
  return queries.sql<SellingTerms>(
    selectBatch,
    [0, 1, 2, 3, 4].map((column) => params.map((values) => values[column])),
  );
}
