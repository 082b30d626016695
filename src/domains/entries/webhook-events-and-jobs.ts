/** Webhook events and jobs of entries. Read by scripts/gather.ts. */
import { publishAndUnpublishDueEntriesJob } from './schedule/publish-and-unpublish-due-entries.ts';

export const webhookEvents = {
  'entry.created': 'An entry was created.',
  'entry.updated': 'An entry was changed.',
  'entry.deleted':
    'An entry was deleted. Not sent for entries that are deleted together with their collection.',
};

export const jobs = [publishAndUnpublishDueEntriesJob];
