/** Says what a cart costs, and signs it. Reads only. */
import type { Context } from '../../context.ts';
import type { OrderLine } from '../orders/model.ts';
import type { Applied } from '../pricing/applied.ts';
import type { Totals } from '../pricing/rules.ts';
import { type CartRequest, priceCart } from './cart.ts';
import type { QuoteRequest } from './checks.ts';
import { paymentMethodOf } from './payment-method.ts';
import { signQuote } from './quote-id.ts';

export interface Quote extends Totals {
  id: string;
  expiresAt: number;
  market: string;
  currency: string;
  taxBps: number;
  lines: (OrderLine & { applied: Applied[] })[];
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
}

export async function quote(ctx: Context, input: QuoteRequest): Promise<Quote> {
  paymentMethodOf(ctx.config, input.paymentMethod);
  const request: CartRequest = { ...input, customerId: ctx.viewer.person?.userId, field: 'lines' };
  const cart = await priceCart(ctx.db, request);
  const { lines: prices, ...totals } = cart.price;
  const quoted = {
    market: cart.market,
    currency: cart.currency,
    taxBps: cart.taxBps,
    lines: cart.lines.map((line, index) => ({ ...line, applied: prices[index]?.applied ?? [] })),
    shippingMethodId: cart.shippingMethodId,
    promoCode: cart.promo?.code,
    ...totals,
  };
  // A price for a group is for the member who asked: nobody else can order with this quote.
  const isTheirs = prices.some(({ applied }) => applied.some(({ kind }) => kind === 'GROUP'));
  const bound = isTheirs ? { customerId: request.customerId } : {};
  const signed = await signQuote(ctx, { businessId: input.businessId, ...quoted, ...bound });
  return { ...signed, ...quoted };
}
