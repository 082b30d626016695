/** Permissions of collections. Read by scripts/gather.ts. */

export const permissions = {
  CONTENT_WRITE: 'Collections, entries and media: see drafts, write, publish, delete.',
};
