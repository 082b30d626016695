/** Price breakdown of a line: steps from list price to final price; `before` of each step equals `after` of the previous one. Pure. */
import type { PriceRule } from './unit-price.ts';

export const linePriceStepKinds = ['SALE', 'TIER', 'GROUP', 'PROMO', 'TAX'] as const;

export interface LinePriceStep {
  kind: (typeof linePriceStepKinds)[number];
  /** Amounts of the whole line, in minor units. */
  before: number;
  after: number;
  /** Human-readable explanation. */
  why: string;
  endsAt?: number | undefined;
  minQuantity?: number | undefined;
  /** Name of the customer group. */
  group?: string | undefined;
  promoCode?: string | undefined;
  taxBps?: number | undefined;
  category?: string | undefined;
}

/** Tax rate in basis points, and the product category it applies to; undefined for the standard rate. */
export interface TaxRate {
  taxBps: number;
  category?: string | undefined;
}

export interface PricedLineAmounts {
  /** Quantity times list price. */
  listTotal: number;
  totalPrice: number;
  rule?: PriceRule | undefined;
  discount: number;
  promoCode?: string | undefined;
  tax: number;
  rate: TaxRate;
}

export function breakDownLinePrice({
  listTotal,
  totalPrice,
  rule,
  ...line
}: PricedLineAmounts): LinePriceStep[] {
  const { discount, promoCode, tax, rate } = line;
  const net = totalPrice - discount;
  return [
    ...(rule ? [{ before: listTotal, after: totalPrice, why: explainRule(rule), ...rule }] : []),
    ...(discount > 0
      ? [{ kind: 'PROMO' as const, before: totalPrice, after: net, why: explainPromo(promoCode), promoCode }]
      : []),
    ...(rate.taxBps > 0
      ? [{ kind: 'TAX' as const, before: net, after: net + tax, why: explainTax(rate), ...rate }]
      : []),
  ];
}

function explainRule(rule: PriceRule): string {
  if (rule.kind === 'TIER') return `The price from ${rule.minQuantity} pieces on.`;
  if (rule.kind === 'GROUP') return `The price for ${rule.group}.`;
  return rule.endsAt === undefined ? 'On sale.' : `On sale until ${toIsoTime(rule.endsAt)}.`;
}

const explainPromo = (code: string | undefined) =>
  code === undefined ? 'Promo code.' : `Promo code ${code}.`;

const explainTax = ({ taxBps, category }: TaxRate) =>
  `Tax of ${taxBps / 100} %${category === undefined ? '' : ` on ${category}`}.`;

/** Latest time that a JavaScript Date can represent, in seconds. */
const maxDateSeconds = 8_640_000_000_000;

const toIsoTime = (seconds: number) =>
  new Date(Math.min(seconds, maxDateSeconds) * 1000).toISOString().replace('.000', '');
