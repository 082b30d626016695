/** Collection record and its database table. */

import { alwaysPresent, defineTable, documentListShape } from '../../db/index.ts';
import type { CollectionModel } from '../../generated/prisma/models.ts';
import { documentFields, type FieldValues } from '../../lib/validation/field.ts';
import type { Block } from '../blocks/model.ts';
import type { StatusEntry } from '../shared/model.ts';
import { collectionFields } from './fields.ts';

export const contentStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type ContentStatus = (typeof contentStatuses)[number];

/** Kind of a collection: NEWSLETTER for that type, STANDARD for every other type. STANDARD is also the default type. */
export const collectionKinds = ['STANDARD', 'NEWSLETTER'] as const;
export type CollectionKind = (typeof collectionKinds)[number];
export const newsletterType = 'NEWSLETTER' satisfies CollectionKind;

export interface PlanPrice {
  /** Minor units; 0 is free. */
  amount: number;
  currency: string;
  /** Billing interval: WEEKLY, MONTHLY or YEARLY. Absent, or another text in older documents, means ONCE. */
  interval?: string | undefined;
}

export interface Plan {
  id: string;
  name: string;
  description: string;
  price: PlanPrice;
  features: string[];
}

export interface CollectionDocument extends FieldValues<typeof collectionFields> {
  /** Schema of the entries. */
  blocks: Block[];
  plans: Plan[];
  /** Whether an unverified email address must be confirmed before it receives mails. */
  doubleOptIn: boolean;
}

export interface Collection extends CollectionDocument {
  id: string;
  businessId: string;
  name: string;
  slug: string;
  type: string;
  statuses: StatusEntry<ContentStatus>[];
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** Defaults for fields that a new collection or an older stored document does not have. */
export const defaultCollectionDocument: CollectionDocument = {
  ...documentFields(collectionFields),
  blocks: [],
  plans: [],
  doubleOptIn: false,
};

export const collectionTable = defineTable<Collection, CollectionModel>('collections', 'c', {
  id: 'fixed',
  businessId: 'fixed',
  slug: 'column',
  name: 'column',
  type: 'column',
  statuses: 'json',
  status: 'computed',
  document: {
    ...defaultCollectionDocument,
    plans: documentListShape<Plan>({
      id: alwaysPresent,
      name: '',
      description: '',
      price: alwaysPresent,
      features: [],
    }),
  },
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});

export const isNewsletter = ({ type }: Pick<Collection, 'type'>): boolean => type === newsletterType;

export const getCollectionKind = (collection: Pick<Collection, 'type'>): CollectionKind =>
  isNewsletter(collection) ? newsletterType : 'STANDARD';
