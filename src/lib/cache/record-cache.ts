/**
 * Records this process has read, each in one version, and the texts made of them. A version never changes, so nothing here expires:
 * the database says which one is current. One bound, in bytes, holds for all of them.
 */
import { LRUCache } from 'lru-cache';
import type { SegmentedBody } from '../../http-message.ts';
import { AdmissionFilter } from './admission-filter.ts';
import { type CacheStats, type MeasuredCache, registerCache } from './cache-registry.ts';
import { HiddenProperty } from './hidden-property.ts';

/** What was made of a record, as it is sent. */
export interface RenderedBody {
  bytes: Uint8Array | SegmentedBody;
  readonly etag?: string;
  /** Where the next page begins, if it is a page. */
  readonly cursor?: string | null;
}

interface Kept {
  readonly key: string;
  readonly version: number;
  readonly record: object;
  bytes: number;
}

/** Where the texts of a record are: several views of one version share its place in the cache. */
interface Place {
  /** What counts the texts; those of something short-lived go with it. */
  readonly counted?: { cache: RecordCache; kept: Kept };
  readonly texts: Map<object, RenderedBody>;
}

const places = new HiddenProperty<object, Place>();

/** A record in memory takes several times the room of its JSON. */
const objectFactor = 4;
/** Beside a text there may be what it becomes for those who ask for fewer bytes, in both ways: together hardly more than it has. */
const textFactor = 2;
/** Of more documents than these that select from a record, the oldest text goes. */
const maxTexts = 8;

export class RecordCache implements MeasuredCache {
  // In a box of its own each time: the same value again would not be measured anew.
  #kept: LRUCache<string, { kept: Kept }>;
  readonly #secondTime = new AdmissionFilter();
  #generation = 0;
  #hits = 0;
  #misses = 0;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ kept }) => kept.bytes });
    registerCache('records', this);
  }

  /** The version at hand. */
  get<T extends object>(key: string): { version: number; record: T } | undefined {
    const found = this.#kept.get(key)?.kept;
    if (found) this.#hits += 1;
    else this.#misses += 1;
    return found as { version: number; record: T } | undefined;
  }

  /**
   * Only what has been committed may be kept. Once there is no more room, only what comes again is: who reads through a whole shop pushes
   * nothing out. From now on nobody may change the record.
   */
  put<T extends object>(key: string, version: number, record: T, jsonLength: number): T {
    const bytes = jsonLength * objectFactor + 1;
    if (!this.#hasRoom(bytes) && !this.#kept.has(key) && !this.#secondTime.admits(key, this.#kept.size))
      return record;
    const kept: Kept = { key, version, record, bytes };
    places.set(record, { counted: { cache: this, kept }, texts: new Map() });
    this.#kept.set(key, { kept });
    return record;
  }

  #hasRoom(bytes: number): boolean {
    return this.#kept.calculatedSize + bytes <= this.#kept.maxSize;
  }

  get stats(): CacheStats {
    return {
      entries: this.#kept.size,
      bytes: this.#kept.calculatedSize,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  /** How often everything was forgotten. */
  get generation(): number {
    return this.#generation;
  }

  /** For when the database may have gone back in time: its versions may come again with other content. */
  clear(): void {
    this.#generation += 1;
    this.#kept.clear();
  }

  /** Counts a text, as long as its record is still here. */
  adjustSize(kept: Kept, bytes: number): void {
    kept.bytes += bytes;
    if (this.#kept.peek(kept.key)?.kept === kept) this.#kept.set(kept.key, { kept });
  }
}

/** Another view of the same version, such as the public one: it has texts of its own. */
export function registerRecordView<T extends object>(record: object, view: T): T {
  const place = places.get(record);
  if (place && view !== record) places.set(view, { ...place, texts: new Map() });
  return view;
}

/** Something that several requests of one turn share, and then nobody: its texts are made once for all of them. */
export function cacheRendersOf<T extends object>(value: T): T {
  places.set(value, { texts: new Map() });
  return value;
}

/** The text that `selection` makes of a record: made once for each version that is kept, and every time for anything else. */
export function renderCached<T extends RenderedBody>(record: object, selection: object, make: () => T): T {
  const place = places.get(record);
  const known = place?.texts.get(selection);
  // A selection always makes the same kind of text.
  if (known) return known as T;
  const text = make();
  if (place) remember(place, selection, text);
  return text;
}

function remember({ counted, texts }: Place, selection: object, text: RenderedBody): void {
  const [oldest] = texts.keys();
  if (texts.size >= maxTexts && oldest) {
    counted?.cache.adjustSize(counted.kept, -roomOf(texts.get(oldest)));
    texts.delete(oldest);
  }
  if (counted && text.bytes instanceof Uint8Array) text.bytes = copyToOwnBuffer(text.bytes);
  texts.set(selection, text);
  counted?.cache.adjustSize(counted.kept, roomOf(text));
}

const roomOf = (text: RenderedBody | undefined) => (text?.bytes.byteLength ?? 0) * textFactor;

/**
 * A copy with no more memory than it needs. Small buffers are parts of a larger one, which stays as long as any of its parts: what is kept
 * for long must not hold the room of what others have left.
 */
export function copyToOwnBuffer(bytes: Uint8Array): Uint8Array {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  own.set(bytes);
  return own;
}
