/** GraphQL inputs of collections. Rules beyond types are in checks.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { CollectionKindEnum, ContentStatusEntryInput, ContentStatusEnum, PlanIntervalEnum } from './types.ts';

const PlanPriceInput = builder.inputType('PlanPriceInput', {
  description: 'What a plan costs.',
  fields: (t) => ({
    amount: t.field({ type: 'Money', required: true, description: 'Price in minor units; 0 is free.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, in any case.' }),
    interval: t.string({
      description: 'How often it is paid: WEEKLY, MONTHLY, YEARLY or ONCE, which is the default.',
    }),
    every: t.field({ type: PlanIntervalEnum, description: 'The same as `interval`, as an enum.' }),
  }),
});

const PlanInput = builder.inputType('PlanInput', {
  description: 'A way to subscribe to a newsletter.',
  fields: (t) => ({
    id: t.id({ description: 'Kept when given, made otherwise.' }),
    name: t.string({ required: true, description: 'What subscribers choose by.' }),
    description: t.string({ description: 'What it is about, for those who choose.' }),
    price: t.field({ type: PlanPriceInput, description: 'Its price; absent: free.' }),
    features: t.stringList({ description: 'What subscribers get.' }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const collectionFields = (t: InputFields) => ({
  slug: t.string({
    description: 'Readable address, unique in the business. Made from the name when absent.',
  }),
  description: t.string({ description: 'What it is about.' }),
  type: t.string({
    description: 'One word of your own choice. NEWSLETTER makes it a newsletter. Default: STANDARD.',
  }),
  kind: t.field({
    type: CollectionKindEnum,
    description: 'Instead of `type`, as an enum: the word of the same name.',
  }),
  blocks: t.field({ type: [BlockInput], description: 'The schema of its entries.' }),
  statuses: t.field({
    type: [ContentStatusEntryInput],
    description: 'Statuses to append to the history. Default on create: PUBLISHED.',
  }),
  status: t.field({ type: ContentStatusEnum, description: 'Shorthand for a history of one entry.' }),
  plans: t.field({ type: [PlanInput], description: 'The ways to subscribe. Newsletters only.' }),
  doubleOptIn: t.boolean({
    description:
      'Whether an address that nobody vouches for gets mails only after its owner has confirmed it. Newsletters only; default: false.',
  }),
});

export const CreateCollectionInput = builder.inputType('CreateCollectionInput', {
  description: 'A new collection.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What editors and readers call it.' }),
    ...collectionFields(t),
  }),
});

export const UpdateCollectionInput = builder.inputType('UpdateCollectionInput', {
  description: 'The fields to change.',
  fields: (t) => ({
    name: t.string({ description: 'What editors and readers call it.' }),
    ...collectionFields(t),
  }),
});

export const GenerateBlocksInput = builder.inputType('GenerateBlocksInput', {
  description: 'What to write.',
  fields: (t) => ({
    prompt: t.string({ required: true, description: 'What the content is about.' }),
    blocks: t.field({ type: [BlockInput], required: true, description: 'The blocks to fill.' }),
  }),
});
