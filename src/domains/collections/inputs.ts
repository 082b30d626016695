/** GraphQL input types of collections. Validation rules beyond the types are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { buildInputFieldsFromDeclarations } from '../../graphql/schema/fields-from-api-field-declarations.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { collectionApiFields } from './api-field-declarations.ts';
import { CollectionKindEnum, ContentStatusEntryInput, ContentStatusEnum, PlanIntervalEnum } from './types.ts';

const PlanPriceInput = builder.inputType('PlanPriceInput', {
  description: 'Amount, currency and billing interval of a subscription plan.',
  fields: (t) => ({
    amount: t.field({ type: 'Money', required: true, description: 'Price in minor units; 0 is free.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, in any case.' }),
    interval: t.string({
      description: 'Billing interval: WEEKLY, MONTHLY, YEARLY or ONCE. Default: ONCE.',
    }),
    every: t.field({
      type: PlanIntervalEnum,
      description: 'Billing interval. Default: ONCE. Set only one of `every` and the deprecated `interval`.',
    }),
  }),
});

const PlanInput = builder.inputType('PlanInput', {
  description: 'Subscription plan of a newsletter.',
  fields: (t) => ({
    id: t.id({ description: 'Id of the plan, unique in its collection. Default: generated.' }),
    name: t.string({ required: true, description: 'Name of the plan.' }),
    description: t.string({ description: 'Description of the plan. Default: empty.' }),
    price: t.field({ type: PlanPriceInput, description: 'Price. Default: free.' }),
    features: t.stringList({ description: 'Features of the plan, such as `Archive`.' }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const collectionInputFields = (t: InputFields) => ({
  slug: t.string({
    description: 'URL slug, unique in the business. Default on create: derived from the name.',
  }),
  ...buildInputFieldsFromDeclarations(t, collectionApiFields),
  type: t.string({
    description:
      'Free-form type of letters, digits, `-` and `_`. NEWSLETTER makes the collection a newsletter. Default: STANDARD.',
  }),
  kind: t.field({
    type: CollectionKindEnum,
    description: 'Type as an enum; alternative to `type`.',
  }),
  blocks: t.field({ type: [BlockInput], description: 'Schema of the entries.' }),
  statuses: t.field({
    type: [ContentStatusEntryInput],
    description: 'Statuses to append to the history. Default on create: PUBLISHED.',
  }),
  status: t.field({ type: ContentStatusEnum, description: 'Shorthand for `statuses` with one item.' }),
  plans: t.field({ type: [PlanInput], description: 'Subscription plans. Newsletters only.' }),
  doubleOptIn: t.boolean({
    description:
      'Whether an unverified email address must be confirmed before it receives mails. Newsletters only. Default: false.',
  }),
});

export const CreateCollectionInput = builder.inputType('CreateCollectionInput', {
  description: 'A new collection.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name.' }),
    ...collectionInputFields(t),
  }),
});

export const UpdateCollectionInput = builder.inputType('UpdateCollectionInput', {
  description: 'Fields to change; omitted fields keep their value.',
  fields: (t) => ({
    name: t.string({ description: 'Display name.' }),
    ...collectionInputFields(t),
  }),
});

export const GenerateBlocksInput = builder.inputType('GenerateBlocksInput', {
  description: 'Prompt and blocks for text generation.',
  fields: (t) => ({
    prompt: t.string({ required: true, description: 'Prompt that describes the content.' }),
    blocks: t.field({ type: [BlockInput], required: true, description: 'Blocks to generate values for.' }),
  }),
});
