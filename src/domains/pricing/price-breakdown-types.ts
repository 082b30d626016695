/** GraphQL types of what made a line cost what it costs. */
import { builder } from '../../graphql/schema/builder.ts';
import type { AppliedStep, appliedStepKinds } from './price-breakdown.ts';

const AppliedKindEnum = builder.enumType('AppliedKind', {
  description: 'What changes the price of a line.',
  values: {
    SALE: { description: 'A lower price for a time.' },
    TIER: { description: 'A lower price from so many pieces on.' },
    GROUP: { description: 'A lower price for a customer group.' },
    PROMO: { description: "The line's share of what a promo code takes off." },
    TAX: { description: "The line's share of the tax." },
  } satisfies Record<(typeof appliedStepKinds)[number], { description: string }>,
});

export const AppliedType = builder.objectRef<AppliedStep>('Applied').implement({
  description: 'One step from the plain price of a line to what it costs with tax.',
  fields: (t) => ({
    kind: t.expose('kind', { type: AppliedKindEnum, description: 'What applied.' }),
    before: t.expose('before', {
      type: 'Money',
      description: 'Price of the line before; of the first step, all pieces at their plain price.',
    }),
    after: t.expose('after', {
      type: 'Money',
      description: 'Price of the line after; of the last step, totalPrice - discount + tax.',
    }),
    why: t.exposeString('why', { description: 'Why it applied, for people to read.' }),
    endsAt: t.expose('endsAt', { type: 'Timestamp', nullable: true, description: 'When the sale ends.' }),
    minQuantity: t.exposeInt('minQuantity', {
      nullable: true,
      description: 'Pieces from which the price counts.',
    }),
    group: t.exposeString('group', { nullable: true, description: 'Name of the customer group.' }),
    promoCode: t.exposeString('promoCode', { nullable: true, description: 'What was typed (PROMO).' }),
    taxBps: t.exposeInt('taxBps', { nullable: true, description: 'Tax in basis points.' }),
    category: t.exposeString('category', {
      nullable: true,
      description: 'The category that has this tax; null when it is that of the market.',
    }),
  }),
});
