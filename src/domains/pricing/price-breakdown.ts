/** What made a line cost what it costs, step by step: each begins with the amount that the one before has ended with. Pure. */
import type { PriceRule } from './unit-price.ts';

export const appliedStepKinds = ['SALE', 'TIER', 'GROUP', 'PROMO', 'TAX'] as const;

export interface AppliedStep {
  kind: (typeof appliedStepKinds)[number];
  /** Of the whole line. */
  before: number;
  after: number;
  /** For people to read. */
  why: string;
  endsAt?: number | undefined;
  minQuantity?: number | undefined;
  /** Name of the customer group. */
  group?: string | undefined;
  promoCode?: string | undefined;
  taxBps?: number | undefined;
  category?: string | undefined;
}

/** A tax rate, and the category of products that it is for, unless it is for all. */
export interface TaxRate {
  taxBps: number;
  category?: string | undefined;
}

export interface PricedLineAmounts {
  /** Of all pieces at the plain price. */
  plainTotal: number;
  totalPrice: number;
  rule?: PriceRule | undefined;
  discount: number;
  promoCode?: string | undefined;
  tax: number;
  rate: TaxRate;
}

export function breakDownLinePrice({
  plainTotal,
  totalPrice,
  rule,
  ...line
}: PricedLineAmounts): AppliedStep[] {
  const { discount, promoCode, tax, rate } = line;
  const net = totalPrice - discount;
  return [
    ...(rule ? [{ before: plainTotal, after: totalPrice, why: whyOf(rule), ...rule }] : []),
    ...(discount > 0
      ? [{ kind: 'PROMO' as const, before: totalPrice, after: net, why: promoWhy(promoCode), promoCode }]
      : []),
    ...(rate.taxBps > 0
      ? [{ kind: 'TAX' as const, before: net, after: net + tax, why: taxWhy(rate), ...rate }]
      : []),
  ];
}

function whyOf(rule: PriceRule): string {
  if (rule.kind === 'TIER') return `The price from ${rule.minQuantity} pieces on.`;
  if (rule.kind === 'GROUP') return `The price for ${rule.group}.`;
  return rule.endsAt === undefined ? 'On sale.' : `On sale until ${momentOf(rule.endsAt)}.`;
}

const promoWhy = (code: string | undefined) => (code === undefined ? 'Promo code.' : `Promo code ${code}.`);

const taxWhy = ({ taxBps, category }: TaxRate) =>
  `Tax of ${taxBps / 100} %${category === undefined ? '' : ` on ${category}`}.`;

/** The furthest moment that has a date. */
const lastMoment = 8_640_000_000_000;

const momentOf = (seconds: number) =>
  new Date(Math.min(seconds, lastMoment) * 1000).toISOString().replace('.000', '');
