/** GraphQL input types of collections. Validation rules beyond the types are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { buildInputFieldsFromDeclarations } from '../../graphql/schema/fields-from-api-field-declarations.ts';
import { BlockInput } from '../blocks/inputs.ts';
import { collectionApiFields } from './api-field-declarations.ts';
import { CollectionKindEnum, ContentStatusEntryInput, ContentStatusEnum, PlanIntervalEnum } from './types.ts';

const PlanPriceInput = builder.inputType('PlanPriceInput', {
  description: 'Amount, currency and billing interval of a subscription plan.',
  fields: inputFields({
    amount: ['Money!', 'Price in minor units; 0 is free.'],
    currency: ['String!', 'ISO 4217 code, in any case.'],
    interval: ['String', 'Billing interval: WEEKLY, MONTHLY, YEARLY or ONCE. Default: ONCE.'],
    every: [
      PlanIntervalEnum,
      'Billing interval. Default: ONCE. Set only one of `every` and the deprecated `interval`.',
    ],
  }),
});

const PlanInput = builder.inputType('PlanInput', {
  description: 'Subscription plan of a newsletter.',
  fields: inputFields({
    id: ['ID', 'Id of the plan, unique in its collection. Default: generated.'],
    name: ['String!', 'Name of the plan.'],
    description: ['String', 'Description of the plan. Default: empty.'],
    price: [PlanPriceInput, 'Price. Default: free.'],
    features: ['[String!]', 'Features of the plan, such as `Archive`.'],
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
  fields: inputFields((t) => ({ name: ['String!', 'Display name.'], ...collectionInputFields(t) })),
});

export const UpdateCollectionInput = builder.inputType('UpdateCollectionInput', {
  description: 'Fields to change; omitted fields keep their value.',
  fields: inputFields((t) => ({ name: ['String', 'Display name.'], ...collectionInputFields(t) })),
});

export const GenerateBlocksInput = builder.inputType('GenerateBlocksInput', {
  description: 'Prompt and blocks for text generation.',
  fields: inputFields((t) => ({
    prompt: ['String!', 'Prompt that describes the content.'],
    blocks: t.field({ type: [BlockInput], required: true, description: 'Blocks to generate values for.' }),
  })),
});
