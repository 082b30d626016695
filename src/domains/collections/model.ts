/** A collection as callers see it, and its table. */

import { alwaysPresent, documentListShape } from '../../db/records/document.ts';
import { defineTable } from '../../db/records/table.ts';
import type { CollectionModel } from '../../generated/prisma/models.ts';
import type { Block } from '../blocks/model.ts';
import type { StatusEntry } from '../shared/model.ts';

export const contentStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type ContentStatus = (typeof contentStatuses)[number];

/** What tells collections apart: all whose type is not that of newsletters are STANDARD, which is the type of those without one. */
export const collectionKinds = ['STANDARD', 'NEWSLETTER'] as const;
export type CollectionKind = (typeof collectionKinds)[number];
export const newsletterType = 'NEWSLETTER' satisfies CollectionKind;

export interface PlanPrice {
  /** Minor units; 0 is free. */
  amount: number;
  currency: string;
  /** How often it is paid: WEEKLY, MONTHLY or YEARLY. Absent, or another word in older documents: once. */
  interval?: string | undefined;
}

export interface Plan {
  id: string;
  name: string;
  description: string;
  price: PlanPrice;
  features: string[];
}

export interface CollectionDocument {
  description: string;
  /** The schema of its entries. */
  blocks: Block[];
  plans: Plan[];
  /** Whether an address that nobody vouches for gets mails only after it was confirmed. */
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

/** The document as it is where nobody has said anything: in a new collection, in a document from before. */
export const defaultCollectionDocument: CollectionDocument = {
  description: '',
  blocks: [],
  plans: [],
  doubleOptIn: false,
};

export const collections = defineTable<Collection, CollectionModel>('collections', 'c', {
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
