/** Ids are UUIDv7, made here, so that their order is the order of creation. */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const idBytes = 16;
/** The system is asked for the randomness of many ids at once: asking takes longer than all the rest. */
const randomness = Buffer.alloc(256 * idBytes);
let used = randomness.length;

function takeRandom(): Buffer {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  used += idBytes;
  return randomness.subarray(used - idBytes, used);
}

let msecs = 0;
let seq = 0;

/** A clock that is set back a little is waited for; one that had been wrong is not. */
const forgivenMs = 10_000;

/** Ids of one process ascend: within a millisecond they count on from a random start. */
export function newId(): string {
  const random = takeRandom();
  const time = Date.now();
  if (time > msecs || time < msecs - forgivenMs) {
    msecs = time;
    seq = random.readUInt32BE(6) >>> 1;
  } else {
    seq = (seq + 1) | 0;
    if (seq === 0) msecs += 1;
  }
  return v7({ msecs, seq, random });
}

/** An id among those of a moment: for what was created elsewhere, then. */
export const newIdAt = (seconds: number): string => v7({ msecs: seconds * 1000, random: takeRandom() });

/** Ids made before this moment are smaller, ids made after it greater. */
export function lowestIdAt(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
    .toString(16)
    .padStart(12, '0');
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7000-8000-000000000000`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isId = (value: string): boolean => uuid.test(value);

/** How a record is addressed on the wire: by id, by slug, or by `<businessId>:<locale>:<slug>`. */
export type IdOrSlug =
  | { by: 'id'; id: string }
  | { by: 'slug'; slug: string; locale?: string; businessId?: string };

function parseAddress(text: string): IdOrSlug {
  if (isId(text)) return { by: 'id', id: text };
  const [businessId, locale, ...rest] = text.split(':');
  if (businessId && locale && rest.length > 0)
    return { by: 'slug', slug: rest.join(':'), locale, businessId };
  return { by: 'slug', slug: text };
}

/** Within a business: undefined where that is none, or the address names another one. */
export function parseIdOrSlug(businessId: string, text: string): IdOrSlug | undefined {
  if (!isId(businessId)) return undefined;
  const address = parseAddress(text);
  const named = address.by === 'slug' ? address.businessId : undefined;
  return named === undefined || named.toLowerCase() === businessId.toLowerCase() ? address : undefined;
}
