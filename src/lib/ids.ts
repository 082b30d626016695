/** Ids are UUIDv7, made here, so that their order is the order of creation. */
import { v7 } from 'uuid';

export const newId = (): string => v7();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isId = (value: string): boolean => uuid.test(value);

/** How a record is addressed on the wire: by id, by slug, or by `<businessId>:<locale>:<slug>`. */
export type Address =
  | { by: 'id'; id: string }
  | { by: 'slug'; slug: string; locale?: string; businessId?: string };

export function parseAddress(text: string): Address {
  if (isId(text)) return { by: 'id', id: text };
  const [businessId, locale, ...rest] = text.split(':');
  if (businessId && locale && rest.length > 0)
    return { by: 'slug', slug: rest.join(':'), locale, businessId };
  return { by: 'slug', slug: text };
}
