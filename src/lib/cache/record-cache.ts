/**
 * Record cache of a process: one version of each record, and the response bodies rendered from it. A version is immutable, so that
 * entries never expire; readers query the current version from the database. One limit in bytes covers records and bodies.
 */
import { LRUCache } from 'lru-cache';
import { SegmentedBody } from '../../http-message.ts';
import { deepFreeze } from '../json/deep-readonly.ts';
import {
  assertResponseTextSize,
  maxResponseBytes,
  responseTooLargeError,
} from '../json/response-size-limit.ts';
import { CacheAdmissionFilter } from './admission-filter.ts';
import { type CacheStats, type MeasuredCache, registerCache } from './cache-registry.ts';
import { HiddenProperty } from './hidden-property.ts';

/** Response body rendered from a record or a page. */
export interface RenderedBody {
  bytes: Uint8Array | SegmentedBody;
  readonly etag?: string;
  /** Cursor of the next page; only for pages. */
  readonly cursor?: string | null;
}

interface CacheEntry {
  readonly key: string;
  readonly version: number;
  readonly record: object;
  bytes: number;
}

/** Rendered bodies of one view of a record. All views of a version share one cache entry. */
interface RenderCache {
  /** Entry whose size includes the bodies. Undefined for short-lived objects, whose bodies are freed with them. */
  readonly counted: { cache: RecordCache; entry: CacheEntry } | undefined;
  /** By selection. */
  readonly bodies: Map<object, RenderedBody>;
  /** Public view of the record, shared by all viewers without a personal one. */
  sharedView: object | undefined;
}

const renderCaches = new HiddenProperty<object, RenderCache>();

/** Memory of a record as a multiple of the length of its JSON. */
const objectFactor = 4;
/** Memory of a body including its two compressed variants, as a multiple of its length. */
const bodyFactor = 2;
/** Bodies per view of a record; the oldest one is evicted. */
const maxBodies = 8;

export class RecordCache implements MeasuredCache {
  // Wrapped in a new object on every set: LRUCache does not recalculate the size for an identical value.
  #entries: LRUCache<string, { entry: CacheEntry }>;
  readonly #protect: <T>(record: T) => T;
  readonly #admissionFilter = new CacheAdmissionFilter();
  #generation = 0;
  #hits = 0;
  #misses = 0;

  /** `freezeRecords`: records and their views are deeply frozen, so that a write throws. Takes time, so only tests set it. */
  constructor(maxBytes: number, freezeRecords = false) {
    this.#protect = freezeRecords ? deepFreeze : (record) => record;
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ entry }) => entry.bytes });
    registerCache('records', this);
  }

  /** Cached version of a record. */
  get<T extends object>(key: string): { version: number; record: T } | undefined {
    const entry = this.#entries.get(key)?.entry;
    if (entry) this.#hits += 1;
    else this.#misses += 1;
    return entry as { version: number; record: T } | undefined;
  }

  /**
   * Caches a committed record, which must not be modified afterwards. Once the cache is full, a key is admitted on its second access
   * only, so that a client that reads a whole shop once evicts nothing.
   */
  put<T extends object>(key: string, version: number, record: T, jsonLength: number): T {
    const bytes = jsonLength * objectFactor + 1;
    if (
      !this.#hasRoom(bytes) &&
      !this.#entries.has(key) &&
      !this.#admissionFilter.admits(key, this.#entries.size)
    )
      return this.#protect(record);
    const entry: CacheEntry = { key, version, record, bytes };
    renderCaches.set(record, { counted: { cache: this, entry }, bodies: new Map(), sharedView: undefined });
    this.#entries.set(key, { entry });
    return this.#protect(record);
  }

  /** Another view of the same version, such as the public view: created once per cached record, with rendered bodies of its own. */
  sharedView<T extends object>(record: T, create: () => T): T {
    const renders = renderCaches.get(record);
    if (renders?.sharedView) return renders.sharedView as T;
    const view = create();
    if (renders) {
      if (view !== record)
        renderCaches.set(view, { counted: renders.counted, bodies: new Map(), sharedView: undefined });
      renders.sharedView = view;
    }
    return this.#protect(view);
  }

  #hasRoom(bytes: number): boolean {
    return this.#entries.calculatedSize + bytes <= this.#entries.maxSize;
  }

  get stats(): CacheStats {
    return {
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  /** Number of times the cache was cleared. */
  get generation(): number {
    return this.#generation;
  }

  /** Clears the cache when the database may have been restored: its versions may return with other content. */
  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
  }

  /** Adds the size of a body to its entry, if that is still cached. */
  adjustSize(entry: CacheEntry, bytes: number): void {
    entry.bytes += bytes;
    if (this.#entries.peek(entry.key)?.entry === entry) this.#entries.set(entry.key, { entry });
  }
}

/** Enables `renderCached` for an object that the requests of one tick share, such as a page. Its bodies are freed with it. */
export function attachRenderCache<T extends object>(value: T): T {
  renderCaches.set(value, { counted: undefined, bodies: new Map(), sharedView: undefined });
  return value;
}

/** Body of a record for `selection`: rendered once per cached version, and on every call for objects that are not cached. */
export function renderCached<T extends RenderedBody>(record: object, selection: object, render: () => T): T {
  const renders = renderCaches.get(record);
  const cachedBody = renders?.bodies.get(selection);
  // One selection always renders the same type of body.
  if (cachedBody) return cachedBody as T;
  const body = render();
  if (renders) addBody(renders, selection, body);
  return body;
}

function addBody({ counted, bodies }: RenderCache, selection: object, body: RenderedBody): void {
  const [oldest] = bodies.keys();
  if (bodies.size >= maxBodies && oldest) {
    counted?.cache.adjustSize(counted.entry, -sizeOfBody(bodies.get(oldest)));
    bodies.delete(oldest);
  }
  if (counted && body.bytes instanceof Uint8Array) body.bytes = copyToOwnBuffer(body.bytes);
  bodies.set(selection, body);
  counted?.cache.adjustSize(counted.entry, sizeOfBody(body));
}

const sizeOfBody = (body: RenderedBody | undefined) => (body?.bytes.byteLength ?? 0) * bodyFactor;

/**
 * Copies bytes into a buffer of exactly their length. Small buffers are slices of a shared pool, which stays allocated as long as any of
 * its slices: long-lived bytes must not retain it.
 */
export function copyToOwnBuffer(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}

const [opening, comma, closing] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/** JSON array of the nodes; the JSON of each node is cached per version. */
export function renderNodeList(nodes: readonly object[], writeNode: (node: unknown) => string): Uint8Array[] {
  const segments: Uint8Array[] = [opening];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as object;
    if (index > 0) segments.push(comma);
    segments.push(renderCached(node, writeNode, () => toRenderedBody(writeNode(node))).bytes);
  }
  segments.push(closing);
  return segments;
}

/** Throws ANSWER_TOO_LARGE above the size limit of responses. */
export function toRenderedBody(json: string, etag?: string): RenderedBody & { bytes: Uint8Array } {
  assertResponseTextSize(json);
  return etag === undefined ? { bytes: Buffer.from(json) } : { bytes: Buffer.from(json), etag };
}

/** Throws ANSWER_TOO_LARGE above the size limit of responses. */
export function joinRenderedSegments(segments: readonly (string | Uint8Array)[]): RenderedBody {
  const bytes = new SegmentedBody(
    segments.map((segment) => (typeof segment === 'string' ? Buffer.from(segment) : segment)),
  );
  if (bytes.length > maxResponseBytes) throw responseTooLargeError();
  return { bytes };
}
