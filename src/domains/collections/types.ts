/** GraphQL types of collections. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { fieldArgs, outputFields } from '../../graphql/schema/field-tables.ts';
import { buildOutputFieldsFromDeclarations } from '../../graphql/schema/fields-from-api-field-declarations.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import {
  oneTimeInterval,
  parseBillingInterval,
  type planIntervals,
} from '../../lib/commerce/billing-intervals.ts';
import { BlockGraphqlType } from '../blocks/types.ts';
import { defineStatusEntryTypes } from '../shared/media-and-status-graphql-types.ts';
import { collectionApiFields } from './api-field-declarations.ts';
import {
  type Collection,
  type CollectionKind,
  type contentStatuses,
  getCollectionKind,
  isNewsletter,
  type NewsletterPlan,
  type NewsletterPlanPrice,
} from './model.ts';

export const ContentStatusEnum = builder.enumType('ContentStatus', {
  description:
    'Publication status. PUBLISHED content is public; DRAFT and ARCHIVED content is visible to staff with CONTENT_WRITE.',
  values: describedEnumValues<(typeof contentStatuses)[number]>({
    DRAFT: 'Not published yet; visible to staff only.',
    PUBLISHED: 'Public.',
    ARCHIVED: 'Withdrawn; visible to staff only.',
  }),
});

export const { entry: ContentStatusEntry, input: ContentStatusEntryInput } = defineStatusEntryTypes(
  'ContentStatusEntry',
  ContentStatusEnum,
);

export const PlanIntervalEnum = builder.enumType('PlanInterval', {
  description: 'Billing interval of a plan.',
  values: describedEnumValues<(typeof planIntervals)[number]>({
    ONCE: 'One payment; the subscription does not expire.',
    WEEKLY: 'Billed every 7 days until cancelled.',
    MONTHLY: 'Billed every month until cancelled.',
    YEARLY: 'Billed every year until cancelled.',
  }),
});

const PlanPriceGraphqlType = builder.objectRef<NewsletterPlanPrice>('PlanPrice').implement({
  description: 'Amount, currency and billing interval of a subscription plan.',
  fields: outputFields((t) => ({
    amount: ['Money!', 'Price in minor units; 0 is free.'],
    currency: ['String!', 'ISO 4217 code, in the case in which it was stored.'],
    interval: t.string({
      pure: true,
      description: 'Billing interval: WEEKLY, MONTHLY, YEARLY or ONCE.',
      resolve: ({ interval }) => interval ?? oneTimeInterval,
    }),
    every: t.field({
      pure: true,
      type: PlanIntervalEnum,
      description: 'Billing interval as an enum.',
      resolve: ({ interval }) => parseBillingInterval(interval) ?? oneTimeInterval,
    }),
  })),
});

const PlanGraphqlType = builder.objectRef<NewsletterPlan>('Plan').implement({
  description: 'Subscription plan of a newsletter.',
  fields: outputFields((t) => ({
    key: t.exposeID('id', { description: 'Key of the plan within its collection; `planId` elsewhere.' }),
    name: ['String!', 'Name of the plan.'],
    description: ['String!', 'Description of the plan; may be empty.'],
    price: t.expose('price', { type: PlanPriceGraphqlType, description: 'Price and billing interval.' }),
    features: ['[String!]!', 'Features of the plan.'],
  })),
});

export const CollectionKindEnum = builder.enumType('CollectionKind', {
  description: 'Kind of a collection, derived from its type.',
  values: {
    STANDARD: { description: 'Content collection: every type except NEWSLETTER.' },
    NEWSLETTER: { description: 'Entries are sent to subscribers by mail; plans may be paid.' },
  } satisfies Record<CollectionKind, { description: string }>,
});

export const CollectionGraphqlType = builder.objectRef<Collection>('Collection').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Collection of entries; its blocks are their schema.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the collection.'],
    businessId: ['ID!', 'Id of the business.'],
    name: ['String!', 'Display name.'],
    slug: ['String!', 'URL slug, unique in the business.'],
    ...buildOutputFieldsFromDeclarations(t, collectionApiFields),
    type: ['String!', 'Free-form type. NEWSLETTER makes the collection a newsletter, see `kind`.'],
    kind: t.field({
      pure: true,
      type: CollectionKindEnum,
      description: 'Kind derived from `type`.',
      resolve: getCollectionKind,
    }),
    isNewsletter: t.boolean({
      pure: true,
      description: 'Whether the collection is a newsletter.',
      resolve: isNewsletter,
    }),
    blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Schema of the entries.' }),
    block: t.field({
      type: BlockGraphqlType,
      nullable: true,
      description: 'Block definition by id; null when there is no such block.',
      args: fieldArgs({ id: ['ID!', 'Key of the block.'] }),
      resolve: ({ blocks }, { id }) => blocks.find((block) => block.id === id) ?? null,
    }),
    plans: t.field({
      pure: true,
      type: [PlanGraphqlType],
      nullable: true,
      description: 'Subscription plans; null unless the collection is a newsletter.',
      resolve: (collection) => (isNewsletter(collection) ? collection.plans : null),
    }),
    doubleOptIn: t.boolean({
      pure: true,
      nullable: true,
      description:
        'Whether an unverified email address must be confirmed before it receives mails; null unless the collection is a newsletter.',
      resolve: (collection) => (isNewsletter(collection) ? collection.doubleOptIn : null),
    }),
    statuses: t.expose('statuses', {
      type: [ContentStatusEntry],
      description: 'Status history, oldest first; the last item is current.',
    }),
    status: t.field({
      pure: true,
      type: ContentStatusEnum,
      description: 'Current status.',
      resolve: (collection) => collection.statuses.at(-1)?.status ?? 'DRAFT',
    }),
  })),
});

export const CollectionConnection = createConnectionType('Collection', CollectionGraphqlType);
