/** Builds webhook events of entries. Pure. */
import type { WebhookEvent } from '../webhooks/webhook-event-types.ts';
import { type Entry, getOwnerCollectionId } from './model.ts';

export const buildEntryEvent = (
  type: 'entry.created' | 'entry.updated' | 'entry.deleted',
  entry: Entry,
): WebhookEvent => ({
  type,
  data: {
    id: entry.id,
    businessId: entry.businessId,
    owner: entry.owner,
    collectionId: getOwnerCollectionId(entry),
    locale: entry.locale,
    slug: slugOf(entry),
    status: entry.statuses.at(-1)?.status ?? 'DRAFT',
    version: entry.version,
  },
});

/** A localised slug is read in the locale of the entry. */
function slugOf({ blocks, locale }: Entry): string | undefined {
  const value = blocks.find(({ id }) => id === 'slug')?.value;
  const slug =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[locale] : value;
  return typeof slug === 'string' ? slug : undefined;
}
