/** What a business asks of a cart: market, shipping method and promo code, in one statement. */
import type { Queries } from '../../db/handles.ts';
import { isId } from '../../lib/ids.ts';
import type { Promo } from '../pricing/promo-code.ts';
import { normalizeMarketCode } from '../pricing/variant-pricing.ts';
import { type CategoryTax, promoCodeKey, type ShippingPrice } from './rules.ts';

export interface SellingTerms {
  business: { id: string; name: string } | null;
  market: { code: string; currency: string; taxBps: number; taxRates: CategoryTax[] | null } | null;
  shippingMethod: { id: string; name: string; prices: ShippingPrice[] } | null;
  /** Whether any shipping method has a price in this market. */
  shipsHere: boolean;
  promo: Promo | null;
}

export interface SellingTermsRequest {
  businessId: string;
  market: string;
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
  customerId?: string | undefined;
}

const nothing: SellingTerms = {
  business: null,
  market: null,
  shippingMethod: null,
  shipsHere: false,
  promo: null,
};

/** SQL: the terms for the parameters or columns of these names. */
const termsOf = (
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

const select = termsOf('$1', '$2', '$3', '$4', '$5');
const selectMany = `select terms.* from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[])
    with ordinality asked(business, market, shipping, promo, customer, place)
  cross join lateral (${termsOf('asked.business', 'asked.market', 'asked.shipping', 'asked.promo', 'asked.customer')}) terms
  order by asked.place`;

const paramsOf = ({ businessId, market, shippingMethodId, promoCode, customerId }: SellingTermsRequest) =>
  [
    businessId,
    normalizeMarketCode(market),
    shippingMethodId ?? null,
    promoCode === undefined ? null : promoCodeKey(promoCode),
    customerId ?? null,
  ] as const;

export async function loadSellingTerms(
  queries: Queries,
  request: SellingTermsRequest,
): Promise<SellingTerms> {
  if (!isId(request.businessId)) return nothing;
  const [terms] = await queries.sql<SellingTerms>(select, paramsOf(request));
  return terms ?? nothing;
}

/** Of several carts that are kept, in their order, by one statement. */
export function loadSellingTermsBatch(
  queries: Queries,
  requests: readonly SellingTermsRequest[],
): Promise<SellingTerms[]> {
  const params = requests.map(paramsOf);
  return queries.sql<SellingTerms>(
    selectMany,
    [0, 1, 2, 3, 4].map((place) => params.map((values) => values[place])),
  );
}
