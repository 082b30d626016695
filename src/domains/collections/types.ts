/** GraphQL types of collections. */

import { pureField } from '../../graphql/fast/pure-fields.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { oneTimePayment, parseBillingInterval, type planIntervals } from '../../lib/time.ts';
import { BlockObject } from '../blocks/types.ts';
import { defineStatusEntryTypes } from '../shared/types.ts';
import {
  type Collection,
  type CollectionKind,
  type contentStatuses,
  getCollectionKind,
  isNewsletter,
  type Plan,
  type PlanPrice,
} from './model.ts';

export const ContentStatusEnum = builder.enumType('ContentStatus', {
  description: 'PUBLISHED content is visible to everybody; DRAFT and ARCHIVED content to editors.',
  values: enumValues<(typeof contentStatuses)[number]>({
    DRAFT: 'Only editors see it; it was not published yet.',
    PUBLISHED: 'Everybody sees it.',
    ARCHIVED: 'Only editors see it; it was taken back.',
  }),
});

export const { entry: ContentStatusEntry, input: ContentStatusEntryInput } = defineStatusEntryTypes(
  'ContentStatusEntry',
  ContentStatusEnum,
);

export const PlanIntervalEnum = builder.enumType('PlanInterval', {
  description: 'How often a plan is paid.',
  values: enumValues<(typeof planIntervals)[number]>({
    ONCE: 'Paid once, for good.',
    WEEKLY: 'Paid every seven days, until it is cancelled.',
    MONTHLY: 'Paid every month, until it is cancelled.',
    YEARLY: 'Paid every year, until it is cancelled.',
  }),
});

const PlanPriceType = builder.objectRef<PlanPrice>('PlanPrice').implement({
  description: 'What a plan costs.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Money', description: 'Price in minor units; 0 is free.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code, in the case it was given.' }),
    interval: t.string({
      ...pureField,
      description: 'How often it is paid: WEEKLY, MONTHLY, YEARLY or ONCE.',
      resolve: ({ interval }) => interval ?? oneTimePayment,
    }),
    every: t.field({
      ...pureField,
      type: PlanIntervalEnum,
      description: 'The same as `interval`, as an enum.',
      resolve: ({ interval }) => parseBillingInterval(interval) ?? oneTimePayment,
    }),
  }),
});

const PlanType = builder.objectRef<Plan>('Plan').implement({
  description: 'A way to subscribe to a newsletter.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the plan, unique in its collection.' }),
    name: t.exposeString('name', { description: 'What subscribers choose by.' }),
    description: t.exposeString('description', { description: 'What it is about; may be empty.' }),
    price: t.expose('price', { type: PlanPriceType, description: 'What is paid, and how often.' }),
    features: t.exposeStringList('features', { description: 'What subscribers get.' }),
  }),
});

export const CollectionKindEnum = builder.enumType('CollectionKind', {
  description: 'What a collection is for, whatever word its type is.',
  values: {
    STANDARD: { description: 'Content to be read: every type but NEWSLETTER.' },
    NEWSLETTER: { description: 'Its entries are sent to its subscribers, who may have to pay for a plan.' },
  } satisfies Record<CollectionKind, { description: string }>,
});

export const CollectionType = builder.objectRef<Collection>('Collection').implement({
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'A kind of content: its blocks are the schema of its entries.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the collection.' }),
    businessId: t.exposeID('businessId', { description: 'The business it belongs to.' }),
    name: t.exposeString('name', { description: 'What editors and readers call it.' }),
    slug: t.exposeString('slug', { description: 'Readable address, unique in the business.' }),
    description: t.exposeString('description', { description: 'What it is about; may be empty.' }),
    type: t.exposeString('type', {
      description:
        "A word of the shop's own choice. NEWSLETTER makes it a newsletter; `kind` tells these apart.",
    }),
    kind: t.field({
      ...pureField,
      type: CollectionKindEnum,
      description: 'What `type` comes to, as an enum.',
      resolve: getCollectionKind,
    }),
    isNewsletter: t.boolean({
      ...pureField,
      description: 'Whether it has subscribers.',
      resolve: isNewsletter,
    }),
    blocks: t.expose('blocks', { type: [BlockObject], description: 'The schema of its entries.' }),
    block: t.field({
      type: BlockObject,
      nullable: true,
      description: 'One block of the schema by its id.',
      args: { id: t.arg.id({ required: true, description: 'Key of the block.' }) },
      resolve: ({ blocks }, { id }) => blocks.find((block) => block.id === id) ?? null,
    }),
    plans: t.field({
      ...pureField,
      type: [PlanType],
      nullable: true,
      description: 'The ways to subscribe. Newsletters only.',
      resolve: (collection) => (isNewsletter(collection) ? collection.plans : null),
    }),
    doubleOptIn: t.boolean({
      ...pureField,
      nullable: true,
      description:
        'Whether an address that nobody vouches for gets mails only after its owner has confirmed it. Newsletters only.',
      resolve: (collection) => (isNewsletter(collection) ? collection.doubleOptIn : null),
    }),
    statuses: t.expose('statuses', {
      type: [ContentStatusEntry],
      description: 'History of its status; the last entry is current.',
    }),
    status: t.field({
      ...pureField,
      type: ContentStatusEnum,
      description: 'Current status.',
      resolve: (collection) => collection.statuses.at(-1)?.status ?? 'DRAFT',
    }),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const CollectionConnection = createConnectionType('Collection', CollectionType);
