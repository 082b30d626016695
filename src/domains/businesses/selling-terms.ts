/** What a business asks of a cart: market, shipping method and promo code, in one statement. */
import type { Queries } from '../../db/sql.ts';
import { isId } from '../../lib/ids.ts';
import { marketKey } from '../pricing/catalogue.ts';
import type { Promo } from '../pricing/promo.ts';
import { type CategoryTax, promoKey, type ShippingPrice } from './rules.ts';

export interface SellingTerms {
  business: { id: string; name: string } | null;
  market: { code: string; currency: string; taxBps: number; taxRates: CategoryTax[] | null } | null;
  shippingMethod: { id: string; name: string; prices: ShippingPrice[] } | null;
  /** Whether any shipping method has a price in this market. */
  shipsHere: boolean;
  promo: Promo | null;
}

export interface TermsRequest {
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

const select = `select
  (select json_build_object('id', b.id, 'name', b.name) from businesses b where b.id = $1) as business,
  (select json_build_object('code', m.code, 'currency', m.currency, 'taxBps', m.tax_bps, 'taxRates', m.tax_rates)
    from markets m where m.business_id = $1 and m.key = $2) as market,
  (select json_build_object('id', s.id, 'name', s.name, 'prices', s.prices)
    from shipping_methods s where s.business_id = $1 and s.id = $3) as "shippingMethod",
  exists (select 1 from shipping_methods s, jsonb_array_elements(s.prices) price
    where s.business_id = $1 and lower(price->>'marketId') = $2) as "shipsHere",
  (select json_build_object('id', c.id, 'code', c.code, 'type', c.type, 'bps', c.bps, 'amount', c.amount,
      'currency', c.currency, 'minSubtotal', c.min_subtotal, 'startsAt', c.starts_at, 'endsAt', c.ends_at,
      'maxUses', c.max_uses, 'maxUsesPerCustomer', c.max_uses_per_customer, 'uses', c.uses,
      'customerUses', (select count(*) from promo_claims k where k.promo_code_id = c.id and k.customer_id = $5))
    from promo_codes c where c.business_id = $1 and c.key = $4) as promo`;

export async function sellingTerms(
  queries: Queries,
  { businessId, market, shippingMethodId, promoCode, customerId }: TermsRequest,
): Promise<SellingTerms> {
  if (!isId(businessId)) return nothing;
  const [terms] = await queries.sql<SellingTerms>(select, [
    businessId,
    marketKey(market),
    shippingMethodId ?? null,
    promoCode === undefined ? null : promoKey(promoCode),
    customerId ?? null,
  ]);
  return terms ?? nothing;
}
