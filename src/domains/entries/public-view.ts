/** What others than staff see of an entry: neither who acted nor what is planned. Pure. */
import { hiddenActors } from '../shared/history.ts';
import type { Entry } from './model.ts';

export const publicView = {
  forPublic(entry: Entry, reader: string | null): Entry {
    const seen = hiddenActors.forPublic(entry, reader);
    return seen.publishAt === undefined && seen.unpublishAt === undefined
      ? seen
      : { ...seen, publishAt: undefined, unpublishAt: undefined };
  },
  concerns: hiddenActors.concerns,
};
