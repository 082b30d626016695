/** The words that collections add to the lists of the gateway. */
export const permissions = {
  CONTENT_WRITE: 'Collections, entries and media: see drafts, write, publish, delete.',
};
