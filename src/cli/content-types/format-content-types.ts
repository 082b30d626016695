/** Prints the content types of a business: per collection an interface of its fields and a typed collection for `@duet-gateway/client-graphql/content`. Pure. */
import type { ContentBlock, ContentCollection } from './fetch-collections.ts';

interface PrintOptions {
  /** Package of the GraphQL client. */
  clientPackage?: string | undefined;
}

export const defaultClientPackage = '@duet-gateway/client-graphql';

interface PrintedField {
  /** TypeScript type of a value. */
  type: string;
  /** Kind of field in the client package. */
  kind: string;
  /** Type that the client package exports. */
  imports?: string;
  /** Null even if the block is required: the target of a relationship may be deleted. */
  isNullable?: boolean;
}

export function formatContentTypes(
  collections: readonly ContentCollection[],
  { clientPackage = defaultClientPackage }: PrintOptions = {},
): string {
  const names = uniqueTypeNames(collections.map(({ slug }) => slug));
  const printed = collections.map((collection, index) => printCollection(collection, names[index] ?? ''));
  const types = [
    ...new Set(collections.flatMap(({ blocks }) => blocks.map((block) => fieldOf(block).imports))),
  ]
    .filter((name) => name !== undefined)
    .sort();
  const specifiers = ['defineCollection', ...types.map((name) => `type ${name}`)].join(', ');
  return [
    '/** Content types of a business, generated from its collections: generate them again instead of editing this file. */',
    `import { ${specifiers} } from '${clientPackage}/content';`,
    ...printed,
    '',
  ].join('\n');
}

function printCollection({ slug, name, blocks }: ContentCollection, typeName: string): string {
  const fields = blocks.map((block) => ({ block, field: fieldOf(block) }));
  const lines = fields.flatMap(({ block, field }) => [
    ...(block.label ? [`  /** ${comment(block.label)} */`] : []),
    `  ${propertyName(block.id)}: ${field.type}${isRequired(block, field) ? '' : ' | null'};`,
  ]);
  const kinds = fields.map(
    ({ block, field }) =>
      `  ${propertyName(block.id)}: '${field.kind}${isRequired(block, field) ? '!' : ''}',`,
  );
  return `
/** Fields of the entries of ${comment(name)}. */
export interface ${typeName}Fields {
${lines.join('\n')}
}

export const ${typeName} = defineCollection<${typeName}Fields>(${quote(slug)}, {
${kinds.join('\n')}
});`;
}

const isRequired = (block: ContentBlock, field: PrintedField) => block.required === true && !field.isNullable;

function fieldOf({ type, settings = {} }: ContentBlock): PrintedField {
  switch (type) {
    case 'TEXT':
      return settings.variant?.toUpperCase() === 'HTML'
        ? { type: 'RichText', kind: 'richText', imports: 'RichText' }
        : { type: 'string', kind: 'text' };
    case 'NUMBER':
      return { type: 'number', kind: 'number' };
    case 'BOOLEAN':
      return { type: 'boolean', kind: 'boolean' };
    case 'DATE':
      return { type: 'Date', kind: 'date' };
    case 'RELATIONSHIP':
      return {
        type: `Reference<'${targetTypes[settings.targetType?.toUpperCase() ?? 'ENTRY'] ?? 'Entry'}'>`,
        kind: 'reference',
        imports: 'Reference',
        isNullable: true,
      };
    case 'GEO_LOCATION':
      return { type: 'GeoLocation', kind: 'location', imports: 'GeoLocation' };
    case 'MEDIA':
      return { type: 'Media[]', kind: 'media', imports: 'Media' };
    case 'SELECT':
      return { type: optionType(settings.options), kind: 'option' };
    case 'MULTI_SELECT':
      return { type: `(${optionType(settings.options)})[]`, kind: 'options' };
    default:
      return { type: 'unknown', kind: 'json', isNullable: true };
  }
}

/** GraphQL type by target type of a relationship. */
const targetTypes: Readonly<Record<string, string>> = {
  USER: 'Person',
  PRODUCT: 'Product',
  ENTRY: 'Entry',
  COLLECTION: 'Collection',
  ORDER: 'Order',
};

const optionType = (options: readonly string[] | undefined) =>
  options === undefined || options.length === 0 ? 'string' : options.map(quote).join(' | ');

/** A TypeScript string literal. Line separators are escaped too. */
const quote = (text: string) =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)}'`;

const propertyName = (id: string) => (/^[A-Za-z_$][\w$]*$/.test(id) ? id : quote(id));

const comment = (text: string) => text.replace(/\s+/g, ' ').replaceAll('*/', '* /').trim();

const reservedNames = ['Date', 'GeoLocation', 'Media', 'Reference', 'RichText', 'defineCollection'];

/** `our-journal` becomes `OurJournal`; equal and reserved names get a number. */
function uniqueTypeNames(slugs: readonly string[]): string[] {
  const used = new Set<string>(reservedNames);
  return slugs.map((slug) => {
    const words = slug.match(/[A-Za-z0-9]+/g) ?? [];
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const base = /^[A-Za-z]/.test(joined) ? joined : `Collection${joined}`;
    let name = base;
    for (let number = 2; used.has(name) || used.has(name.replace(/Fields$/, '')); number += 1)
      name = `${base}${number}`;
    used.add(name);
    used.add(`${name}Fields`);
    return name;
  });
}
