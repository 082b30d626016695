/** Size of values as JSON, estimated without serialising them. */

/**
 * Bytes of `room` that remain after the JSON of the value: an upper bound, because commas and escapes are not counted. Stops once the
 * result is negative, so that the cost is bounded by `room`.
 */
export function remainingBytesAfterJson(value: unknown, room: number): number {
  if (typeof value === 'string') return room - 2 - bytesOf(value);
  if (typeof value !== 'object' || value === null) return room - 1;
  let remaining = room - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      remaining = remainingBytesAfterJson(item, remaining);
      if (remaining < 0) break;
    }
    return remaining;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined || typeof inner === 'function') continue;
    remaining = remainingBytesAfterJson(inner, remaining - 3 - key.length);
    if (remaining < 0) break;
  }
  return remaining;
}

/** PERF: counts characters of short strings; counting their bytes costs more than the precision is worth. */
const bytesOf = (text: string) => (text.length < 100 ? text.length : Buffer.byteLength(text));

const sizes = new WeakMap<object, number>();

/** Estimated size of an immutable record, capped at `maxSize`. Cached per record. */
export function cappedJsonSize(record: object, maxSize: number): number {
  const cachedSize = sizes.get(record);
  if (cachedSize !== undefined) return cachedSize;
  const size = maxSize - Math.max(0, remainingBytesAfterJson(record, maxSize));
  sizes.set(record, size);
  return size;
}
