/** Manifest of collections: permissions, registrations with other domains. Read by scripts/gather.ts. */
import './read/business-collections-field.ts';

export const permissions = {
  CONTENT_WRITE: 'Collections, entries and media: see drafts, write, publish, delete.',
};
