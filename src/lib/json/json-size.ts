/** How long values are as JSON, without writing them. */

/**
 * What is left of the room once the value is written there, at most: commas and escapes are not counted. Stops soon after nothing
 * is left, so it never takes long.
 */
export function remainingBytesAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - 2 - bytesOf(value);
  if (typeof value !== 'object' || value === null) return room - 1;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = remainingBytesAfter(item, left);
      if (left < 0) break;
    }
    return left;
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined || typeof inner === 'function') continue;
    left = remainingBytesAfter(inner, left - 3 - key.length);
    if (left < 0) break;
  }
  return left;
}

/** Short texts are many, and counting their bytes takes longer than it tells. */
const bytesOf = (text: string) => (text.length < 100 ? text.length : Buffer.byteLength(text));

const sizes = new WeakMap<object, number>();

/** The length of a record that does not change any more, or `most` if it is longer. */
export function cappedJsonSize(record: object, most: number): number {
  const known = sizes.get(record);
  if (known !== undefined) return known;
  const size = most - Math.max(0, remainingBytesAfter(record, most));
  sizes.set(record, size);
  return size;
}
