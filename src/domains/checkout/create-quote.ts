/** `quote`: prices a cart and signs the result. Reads only. */
import type { Context } from '../../context.ts';
import type { OrderLine } from '../orders/model.ts';
import type { PriceTotals } from '../pricing/compute-cart-price.ts';
import type { LinePriceStep } from '../pricing/line-price-breakdown.ts';
import { parsePaymentMethod } from './payment-method.ts';
import { type CartPricingRequest, priceCart } from './price-cart.ts';
import { issueQuoteToken } from './quote-token.ts';
import type { QuoteRequest } from './schemas.ts';

export interface Quote extends PriceTotals {
  id: string;
  expiresAt: number;
  market: string;
  currency: string;
  taxBps: number;
  lines: (OrderLine & { applied: LinePriceStep[] })[];
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
}

export async function createQuote(ctx: Context, input: QuoteRequest): Promise<Quote> {
  parsePaymentMethod(ctx.config, input.paymentMethod);
  const request: CartPricingRequest = {
    ...input,
    customerId: ctx.viewer.accountUser?.userId,
    field: 'lines',
  };
  const cart = await priceCart(ctx.db, request);
  const { lines: prices, ...totals } = cart.price;
  const content = {
    market: cart.market,
    currency: cart.currency,
    taxBps: cart.taxBps,
    lines: cart.lines.map((line, index) => ({ ...line, applied: prices[index]?.applied ?? [] })),
    shippingMethodId: cart.shippingMethodId,
    promoCode: cart.promo?.code,
    ...totals,
  };
  // A quote with group prices is bound to the customer: no other customer can check out with it.
  const hasGroupPrice = prices.some(({ applied }) => applied.some(({ kind }) => kind === 'GROUP'));
  const binding = hasGroupPrice ? { customerId: request.customerId } : {};
  const signed = await issueQuoteToken(ctx, { businessId: input.businessId, ...content, ...binding });
  return { ...signed, ...content };
}
