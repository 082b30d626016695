/** Collection record and its database table. */
import { alwaysInJsonDocument, defineJsonDocumentList, defineTable } from '../../db/index.ts';
import type { CollectionModel } from '../../generated/prisma/models.ts';
import {
  type ApiFieldValues,
  buildJsonDocumentFieldsOfDeclarations,
} from '../../lib/validation/api-field-declarations.ts';
import type { Block } from '../blocks/model.ts';
import type { StatusHistoryEntry } from '../shared/media-and-status-history-types.ts';
import { collectionApiFields } from './api-field-declarations.ts';

export const contentStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type ContentStatus = (typeof contentStatuses)[number];

/** Kind of a collection: NEWSLETTER for that type, STANDARD for every other type. STANDARD is also the default type. */
export const collectionKinds = ['STANDARD', 'NEWSLETTER'] as const;
export type CollectionKind = (typeof collectionKinds)[number];
export const newsletterCollectionKind = 'NEWSLETTER' satisfies CollectionKind;

export interface NewsletterPlanPrice {
  /** Minor units; 0 is free. */
  readonly amount: number;
  readonly currency: string;
  /** Billing interval: WEEKLY, MONTHLY or YEARLY. Absent, or another text in older documents, means ONCE. */
  readonly interval?: string | undefined;
}

export interface NewsletterPlan {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price: NewsletterPlanPrice;
  readonly features: readonly string[];
}

export interface CollectionDocument extends ApiFieldValues<typeof collectionApiFields> {
  /** Schema of the entries. */
  readonly blocks: readonly Block[];
  readonly plans: readonly NewsletterPlan[];
  /** Whether an unverified email address must be confirmed before it receives mails. */
  readonly doubleOptIn: boolean;
}

export interface Collection extends CollectionDocument {
  readonly id: string;
  readonly businessId: string;
  readonly name: string;
  readonly slug: string;
  readonly type: string;
  readonly statuses: readonly StatusHistoryEntry<ContentStatus>[];
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Defaults for fields that a new collection or an older stored document does not have. */
export const defaultCollectionDocument: CollectionDocument = {
  ...buildJsonDocumentFieldsOfDeclarations(collectionApiFields),
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
    plans: defineJsonDocumentList<NewsletterPlan>({
      id: alwaysInJsonDocument,
      name: '',
      description: '',
      price: alwaysInJsonDocument,
      features: [],
    }),
  },
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});

export const isNewsletter = ({ type }: Pick<Collection, 'type'>): boolean =>
  type === newsletterCollectionKind;

export const getCollectionKind = (collection: Pick<Collection, 'type'>): CollectionKind =>
  isNewsletter(collection) ? newsletterCollectionKind : 'STANDARD';
