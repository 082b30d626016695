/** A collection as callers see it, and how it is read from its row. */

import type { Block } from '../blocks/model.ts';
import type { StatusEntry } from '../shared/model.ts';

export const contentStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type ContentStatus = (typeof contentStatuses)[number];

/** The type that makes a collection a newsletter. */
const newsletterType = 'NEWSLETTER';

export interface PlanPrice {
  /** Minor units; 0 is free. */
  amount: number;
  currency: string;
  interval: string;
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

export interface CollectionRow {
  id: string;
  business_id: string;
  slug: string;
  name: string;
  type: string;
  statuses: StatusEntry<ContentStatus>[];
  document: CollectionDocument;
  version: number;
  created_at: number;
  updated_at: number;
}

export const collectionColumns =
  'c.id, c.business_id, c.slug, c.name, c.type, c.statuses, c.document, c.version, c.created_at, c.updated_at';

export const toCollection = (row: CollectionRow): Collection => ({
  id: row.id,
  businessId: row.business_id,
  name: row.name,
  slug: row.slug,
  type: row.type,
  ...row.document,
  statuses: row.statuses,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const documentOf = ({ description, blocks, plans }: Collection): CollectionDocument => ({
  description,
  blocks,
  plans,
});

export const isNewsletter = ({ type }: Pick<Collection, 'type'>): boolean => type === newsletterType;
