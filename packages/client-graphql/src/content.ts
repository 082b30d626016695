/** Typed content: reads entries of collections whose types `duet types` has written. */
import type { Document } from './document.ts';
import type { Client, RunOptions } from './index.ts';
import type { RichTextRoot } from './rich-text.ts';

export type { RichTextElement, RichTextNode, RichTextRoot } from './rich-text.ts';

/** Rich text, sanitised by the gateway. */
export interface RichText {
  html: string;
  /** Tree in the hast format, for the renderers of `@duet-gateway/client-graphql/rich-text`. */
  tree: RichTextRoot;
}

export interface Media {
  url: string;
  mimeType: string;
  alt: string | null;
  /** Pixels; null unless an uploaded image. */
  width: number | null;
  height: number | null;
  /** Smaller renditions of an uploaded image, by ascending width. */
  resolutions: { url: string; width: number; height: number }[] | null;
}

export interface GeoLocation {
  latitude: number;
  longitude: number;
}

/** Record that a relationship points to. */
export interface Reference<TypeName extends string> {
  __typename: TypeName;
  id: string;
}

const parts = {
  text: 'text(locale: $locale)',
  richText: 'text(locale: $locale) richText(locale: $locale)',
  number: 'asNumber',
  boolean: 'asBoolean',
  date: 'asDateTime',
  reference:
    'asRelationship { __typename ... on Product { id } ... on Entry { id } ... on Collection { id } ... on Order { id } ... on Person { id: userId } }',
  location: 'asGeo { latitude longitude }',
  media: 'asMedia { url mimeType alt width height resolutions { url width height } }',
  option: 'text',
  options: 'asOptions',
  json: 'value',
} as const;

type FieldKind = keyof typeof parts;
type FieldSpec = FieldKind | `${FieldKind}!`;

/** Collection whose entries have the fields `Fields`. */
export interface Collection<Fields> {
  readonly slug: string;
  /** Kind of each field; `!`: required. */
  readonly fields: { readonly [Key in keyof Fields]: FieldSpec };
}

export const defineCollection = <Fields>(
  slug: string,
  fields: Collection<Fields>['fields'],
): Collection<Fields> => ({ slug, fields });

export interface ContentEntry<Fields> {
  id: string;
  locale: string;
  version: number;
  /** ISO 8601. */
  updatedAt: string;
  fields: Fields;
}

/** Entry without a value for a required field: the collection has changed since its types were written, or since the entry was. */
export class ContentDriftError extends Error {
  override readonly name = 'ContentDriftError';
  constructor(collection: string, entryId: string, keys: readonly string[]) {
    super(
      `Entry ${entryId} of "${collection}" has no value for ${keys.join(', ')}. Write the content types again, or save the entry again.`,
    );
  }
}

type KeyOf<Fields> = keyof Fields & string;

/** Selection of fields for an own document on a type with `block`, and the function that reads them from a result. */
export interface FieldSelection<Fields> {
  /** GraphQL selection; its variable is `$locale: String`, if it has a text. */
  text: string;
  read(record: object & { id?: string }): Fields;
}

export function selectFields<Fields, Key extends KeyOf<Fields> = KeyOf<Fields>>(
  { slug, fields }: Collection<Fields>,
  keys: readonly Key[] = Object.keys(fields) as Key[],
): FieldSelection<Pick<Fields, Key>> {
  const selected = keys.map((key, index) => {
    const spec: FieldSpec = fields[key];
    return {
      key,
      alias: `f${index}`,
      kind: spec.replace('!', '') as FieldKind,
      isRequired: spec.endsWith('!'),
    };
  });
  return {
    text: selected
      .map(({ key, alias, kind }) => `${alias}: block(id: ${JSON.stringify(key)}) { ${parts[kind]} }`)
      .join('\n'),
    read(record) {
      const blocks = record as Readonly<Record<string, BlockData | null>>;
      const values = selected.map(({ key, alias, kind }) => [key, readValue(kind, blocks[alias])] as const);
      const missing = values.filter(([, value], index) => value === null && selected[index]?.isRequired);
      if (missing.length > 0)
        throw new ContentDriftError(
          slug,
          record.id ?? '',
          missing.map(([key]) => key),
        );
      return Object.fromEntries(values) as Pick<Fields, Key>;
    },
  };
}

type BlockData = Readonly<Record<string, unknown>>;

function readValue(kind: FieldKind, block: BlockData | null | undefined): unknown {
  if (!block) return null;
  if (kind === 'richText')
    return typeof block.text === 'string' ? { html: block.text, tree: block.richText } : null;
  if (kind === 'date') return typeof block.asDateTime === 'string' ? new Date(block.asDateTime) : null;
  if (kind === 'option') return block.text || null;
  return Object.values(block)[0] ?? null;
}

export interface ReadOptions<Key> extends RunOptions {
  businessId: string;
  /** Fields to read. Default: all. */
  fields?: readonly Key[] | undefined;
  /** Locale of texts, with fallbacks. Default: the locale of the entry. */
  locale?: string | undefined;
}

export interface ListOptions<Key> extends ReadOptions<Key> {
  /** Page size, at most 100. Default: 20. */
  first?: number | undefined;
  /** `endCursor` of the previous page. */
  after?: string | undefined;
}

export interface EntryPage<Fields> {
  entries: ContentEntry<Fields>[];
  /** Null after the last page. */
  endCursor: string | null;
}

type EntryData = { id: string; locale: string; version: number; updatedAtDateTime: string };

/** Published entries of a collection, newest first. */
export async function listEntries<Fields, Key extends KeyOf<Fields> = KeyOf<Fields>>(
  client: Pick<Client, 'run'>,
  collection: Collection<Fields>,
  { businessId, fields, locale, first, after, ...options }: ListOptions<Key>,
): Promise<EntryPage<Pick<Fields, Key>>> {
  const selection = selectFields(collection, fields);
  const { entries } = await client.run(
    listDocument(selection.text),
    { businessId, collectionId: collection.slug, first, after, ...localeOf(selection.text, locale) },
    options,
  );
  return {
    entries: entries.nodes.map((node) => toEntry(node, selection)),
    endCursor: entries.pageInfo.hasNextPage ? entries.pageInfo.endCursor : null,
  };
}

/** An entry by id or slug; undefined if it does not exist, is not visible, or belongs to another collection. */
export async function findEntry<Fields, Key extends KeyOf<Fields> = KeyOf<Fields>>(
  client: Pick<Client, 'run'>,
  collection: Collection<Fields>,
  { businessId, id, fields, locale, ...options }: ReadOptions<Key> & { id: string },
): Promise<ContentEntry<Pick<Fields, Key>> | undefined> {
  const selection = selectFields(collection, fields);
  const { entry } = await client.run(
    entryDocument(selection.text),
    { businessId, id, ...localeOf(selection.text, locale) },
    options,
  );
  return entry?.collection?.slug === collection.slug ? toEntry(entry, selection) : undefined;
}

const toEntry = <Fields>(data: EntryData, { read }: FieldSelection<Fields>): ContentEntry<Fields> => ({
  id: data.id,
  locale: data.locale,
  version: data.version,
  updatedAt: data.updatedAtDateTime,
  fields: read(data),
});

const usesLocale = (text: string) => text.includes('$locale');
const localeOf = (text: string, locale: string | undefined) => (usesLocale(text) ? { locale } : {});
const localeVariable = (text: string) => (usesLocale(text) ? ', $locale: String' : '');

const entryFields = 'id locale version updatedAtDateTime';

interface ListResult {
  entries: { nodes: EntryData[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

/** Documents have the same text for the same fields, so that gateways and caches recognise them. */
const listDocument = (text: string): Document<ListResult, Record<string, unknown>> => ({
  toString:
    () => `query ContentEntries($businessId: ID!, $collectionId: ID!, $first: Int, $after: String${localeVariable(text)}) {
  entries(businessId: $businessId, collectionId: $collectionId, first: $first, after: $after) {
    nodes { ${entryFields}
${text} }
    pageInfo { hasNextPage endCursor }
  }
}`,
});

interface EntryResult {
  entry: (EntryData & { collection: { slug: string } | null }) | null;
}

const entryDocument = (text: string): Document<EntryResult, Record<string, unknown>> => ({
  toString: () => `query ContentEntry($businessId: ID!, $id: ID!${localeVariable(text)}) {
  entry(businessId: $businessId, id: $id) { collection { slug } ${entryFields}
${text} }
}`,
});
