/** Manifest of entries: webhook events, jobs, registrations with other domains. Read by scripts/gather.ts. */
import './blocks/block-value-graphql-type.ts';
import './drafts/mutations.ts';
import './read/collection-entries-field.ts';
import './blocks/sanitize-new-rich-text.ts';
import { publishAndUnpublishDueEntriesJob } from './schedule/publish-and-unpublish-due-entries.ts';

export const webhookEvents = {
  'entry.created': 'An entry was created.',
  'entry.updated': 'An entry was changed.',
  'entry.deleted':
    'An entry was deleted. Not sent for entries that are deleted together with their collection.',
};

export const jobs = [publishAndUnpublishDueEntriesJob];
