/** Descriptions say what a name does not. */
import {
  type GraphQLEnumType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
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

const own = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const parts = own.flatMap((type) => [...partsOf(type)]);

const little = new Set(['a', 'an', 'the', 'its', 'of', 'as', 'by', 'it', 'is', 'this', 'id', 'ids']);

/** Words in one form each: without their endings, and without those that say nothing. */
const wordsOf = (text: string) =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '' && !little.has(word))
    .map((word) => word.replace(/s$/, ''));

/** An id is that of what it names; there is no more to say. */
const isId = (name: string) => /^ids?$|Ids?$/.test(name);

const repeats = ({ name, description }: Described) => {
  const known = new Set(wordsOf(name));
  const [said = ''] = (description ?? '').split('\n\n');
  return !isId(name) && said !== '' && wordsOf(said).every((word) => known.has(word));
};

it('are more than the words of their names', () => {
  expect(repeats({ at: '', name: 'promoCode', description: 'The promo codes.' })).toBe(true);
  expect(repeats({ at: '', name: 'promoCode', description: 'What customers type.' })).toBe(false);
  expect(parts.filter(repeats).map(({ at, description }) => `${at}: ${description}`)).toEqual([]);
});

it('are there for everything but values that their names explain', () => {
  const isValue = ({ at }: Described) =>
    isEnumType(schema.getType(at.split('.')[0] ?? '')) && at.includes('.');
  const bare = parts.filter(({ description }) => !description);
  expect(bare.filter((part) => !isValue(part)).map(({ at }) => at)).toEqual([]);
  // Which way a list is sorted, and which kind of record is meant.
  const plain = new Set(bare.map(({ at }) => at.split('.')[0]));
  expect(
    [...plain].filter((name) => !/Sort$|^ChangeKind$|^RelationshipTargetType$/.test(name ?? '')),
  ).toEqual([]);
});

it('tell every status, code and event apart', () => {
  const told = own.filter(
    (type): type is GraphQLEnumType =>
      /(?:Status|State|Code|Reason|Topic|Result)$/.test(type.name) && isEnumType(type),
  );
  expect(told.length).toBeGreaterThan(15);
  for (const type of told) {
    const meanings = type.getValues().map(({ description }) => description);
    expect(new Set(meanings).size, type.name).toBe(meanings.length);
  }
});
