/** Schema descriptions: complete, and more than a repetition of the name. */
import {
  type GraphQLEnumType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema/schema.ts';

interface Described {
  at: string;
  name: string;
  description: string | null | undefined;
}

function* partsOf(type: GraphQLNamedType): Generator<Described> {
  yield { at: type.name, name: type.name, description: type.description };
  if (isEnumType(type))
    for (const { name, description } of type.getValues())
      yield { at: `${type.name}.${name}`, name, description };
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return;
  for (const field of Object.values(type.getFields())) {
    const at = `${type.name}.${field.name}`;
    yield { at, name: field.name, description: field.description };
    for (const { name, description } of 'args' in field ? field.args : [])
      yield { at: `${at}(${name})`, name, description };
  }
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const parts = types.flatMap((type) => [...partsOf(type)]);

const stopWords = new Set(['a', 'an', 'the', 'its', 'of', 'as', 'by', 'it', 'is', 'this', 'id', 'ids']);

/** Words of a text in lower case, without plural endings and stop words. */
const wordsOf = (text: string) =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && !stopWords.has(word))
    .map((word) => word.replace(/s$/, ''));

/** Ids need no further description. */
const isId = (name: string) => /^ids?$|Ids?$/.test(name);

const repeats = ({ name, description }: Described) => {
  const nameWords = new Set(wordsOf(name));
  const [firstParagraph = ''] = (description ?? '').split('\n\n');
  return !isId(name) && firstParagraph !== '' && wordsOf(firstParagraph).every((word) => nameWords.has(word));
};

it('contain more than the words of the name', () => {
  expect(repeats({ at: '', name: 'promoCode', description: 'The promo codes.' })).toBe(true);
  expect(repeats({ at: '', name: 'promoCode', description: 'What customers type.' })).toBe(false);
  expect(parts.filter(repeats).map(({ at, description }) => `${at}: ${description}`)).toEqual([]);
});

it('exist for everything except self-explanatory enum values', () => {
  const isValue = ({ at }: Described) =>
    isEnumType(schema.getType(at.split('.')[0] ?? '')) && at.includes('.');
  const undescribed = parts.filter(({ description }) => !description);
  expect(undescribed.filter((part) => !isValue(part)).map(({ at }) => at)).toEqual([]);
  // Sort orders and kinds of records.
  const undescribedEnums = new Set(undescribed.map(({ at }) => at.split('.')[0]));
  expect(
    [...undescribedEnums].filter((name) => !/Sort$|^ChangeKind$|^RelationshipTargetType$/.test(name ?? '')),
  ).toEqual([]);
});

it('say when a list is null', () => {
  const nullableLists = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields())
          .filter((field) => isListType(field.type))
          .map(({ name, description }) => ({ at: `${type.name}.${name}`, description }))
      : [],
  );
  expect(nullableLists.length).toBeGreaterThan(5);
  expect(nullableLists.filter(({ description }) => !/\bnull\b/i.test(description ?? ''))).toEqual([]);
});

it('differ for all values of statuses, codes and events', () => {
  const statusEnums = types.filter(
    (type): type is GraphQLEnumType =>
      /(?:Status|State|Code|Reason|Topic|Result)$/.test(type.name) && isEnumType(type),
  );
  expect(statusEnums.length).toBeGreaterThan(15);
  for (const type of statusEnums) {
    const meanings = type.getValues().map(({ description }) => description);
    expect(new Set(meanings).size, type.name).toBe(meanings.length);
  }
});

interface Deprecatable {
  name: string;
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
}

/** Current parts whose description refers to a deprecated part next to them, without saying so. */
function findDeprecatedReferences(at: string, siblings: readonly Deprecatable[]): string[] {
  const [deprecated, current] = [true, false].map((wanted) =>
    siblings.filter(({ deprecationReason }) => (deprecationReason != null) === wanted),
  ) as [Deprecatable[], Deprecatable[]];
  return current
    .filter(({ description }) => !/\b(?:deprecated|replaces)\b/.test(description ?? ''))
    .filter(({ description }) => deprecated.some(({ name }) => description?.includes(`\`${name}\``)))
    .map(({ name, description }) => `${at}.${name}: ${description}`);
}

it('do not explain a current field by a deprecated one', () => {
  const market = { name: 'market', description: 'Alias of `marketId`.' };
  const marketId = { name: 'marketId', deprecationReason: 'Use `market`.' };
  expect(findDeprecatedReferences('Price', [market, marketId])).toEqual([
    'Price.market: Alias of `marketId`.',
  ]);
  const references = types.flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
    const fields = Object.values(type.getFields());
    return [
      ...findDeprecatedReferences(type.name, fields),
      ...fields.flatMap((field) =>
        findDeprecatedReferences(`${type.name}.${field.name}`, 'args' in field ? field.args : []),
      ),
    ];
  });
  expect(references).toEqual([]);
});
