/** Typed tables: generated SQL, row mapping, defaults of old documents, and compile errors. */
import { expect, expectTypeOf, it } from 'vitest';
import { alwaysInJsonDocument, defineJsonDocumentList } from '../../src/db/records/json-document-codec.ts';
import { concatRowsParams, defineTable } from '../../src/db/records/typed-table.ts';
import type { Prisma } from '../../src/generated/prisma/client.ts';

interface Part {
  id: string;
  name: string;
  tags: string[];
  note?: string | undefined;
}

interface Thing {
  id: string;
  name: string;
  hint?: string | undefined;
  size: number;
  history: string[];
  description: string;
  parts: readonly Part[];
}

interface ThingModel {
  id: string;
  name: string;
  hint: string | null;
  size: bigint;
  histories: Prisma.JsonValue;
  history: string;
  document: Prisma.JsonValue;
  claimedUntil: bigint | null;
}

const part = { id: alwaysInJsonDocument, name: '', tags: [], note: undefined } as const;
const document = { description: 'none yet', parts: defineJsonDocumentList<Part>({ ...part, tags: [] }) };
const columns = {
  id: 'fixed',
  name: 'column',
  hint: 'column',
  size: 'column',
  histories: { holds: 'history' },
  history: 'computed',
  document,
  claimedUntil: 'apart',
} as const;

interface Owned {
  id: string;
  businessId?: string | undefined;
}

interface OwnedModel {
  id: string;
  businessId: string | null;
}

type Renamed = { histories: 'history' };
const things = defineTable<Thing, ThingModel, Renamed>('things', 't', columns);

const thing: Thing = {
  id: 'a',
  name: 'Lamp',
  size: 3,
  history: ['NEW'],
  description: 'Bright.',
  parts: [{ id: 'p', name: 'Bulb', tags: ['glass'] }],
};

it('lists exactly the columns of the record in every statement', () => {
  expect(things.columns).toBe('t.id, t.name, t.hint, t.size, t.histories, t.document');
  const part = things.selectFields('size', 'history');
  expect(part.columns).toBe('t.size, t.histories');
  expect(part.read({ size: 3, histories: ['NEW'], name: 'Lamp' })).toEqual({ size: 3, history: ['NEW'] });
  expect(things.insert).toBe(
    'insert into things as t (id, name, hint, size, histories, document) values ($1, $2, $3, $4, $5::jsonb, $6::jsonb)',
  );
  expect(things.paramAfter(1)).toBe('$7');
  expect(things.update).toBe(
    'update things as t set name = $1, hint = $2, size = $3, histories = $4::jsonb, document = $5::jsonb where t.id = $6',
  );
  expect(things.updateParams(thing)).toEqual([...things.insertParams(thing).slice(1), 'a']);
});

it('writes only the declared parts of a document', () => {
  const withExtraField = { ...thing, parts: thing.parts.map((item) => ({ ...item, stock: 5 })) };
  const json = { description: 'Bright.', parts: [{ id: 'p', name: 'Bulb', tags: ['glass'] }] };
  expect(things.insertParams(withExtraField)).toEqual([
    'a',
    'Lamp',
    null,
    3,
    '["NEW"]',
    JSON.stringify(json),
  ]);
  expect(JSON.parse(things.rowsParam([withExtraField]))).toEqual([
    { id: 'a', name: 'Lamp', hint: null, size: 3, histories: ['NEW'], document: json },
  ]);
});

it('concatenates the rows of several parameters', () => {
  const other = { ...thing, id: 'b' };
  const params = [things.rowsParam([thing]), things.rowsParam([]), things.rowsParam([other])];
  expect(concatRowsParams(params)).toBe(things.rowsParam([thing, other]));
  expect([concatRowsParams([]), concatRowsParams(['[]'])]).toEqual(['[]', '[]']);
});

it('reads a written record back unchanged', () => {
  const [row] = JSON.parse(things.rowsParam([thing]));
  expect(things.read(row)).toEqual(thing);
});

it('reads missing parts of a document as their defaults, also in lists', () => {
  const row = { id: 'a', name: 'Lamp', hint: null, size: 3, histories: [] };
  expect(things.read({ ...row, document: {} })).toMatchObject({ description: 'none yet', parts: [] });
  expect(things.read({ ...row, document: { parts: [{ id: 'p' }] } }).parts).toEqual([
    { id: 'p', name: '', tags: [] },
  ]);
});

it('freezes defaults', () => {
  const { parts } = things.read({ id: 'a', document: { parts: [{ id: 'p' }] } });
  expect(() => parts[0]?.tags.push('mine')).toThrow(TypeError);
});

it('does not compile if a column is missing or has another type', () => {
  const define = <Stored extends { id: string }, Model>() => defineTable<Stored, Model, Renamed & object>;
  const { hint: _hint, ...withoutColumn } = columns;
  // @ts-expect-error a column of the record is missing
  define<Thing, ThingModel>()('things', 't', withoutColumn);
  // @ts-expect-error the model has a column more
  define<Thing, ThingModel & { weight: number }>()('things', 't', columns);
  // @ts-expect-error the record has a field more, which the document does not have
  define<Thing & { material: string }, ThingModel>()('things', 't', columns);
  // @ts-expect-error a part of the document is missing
  define<Thing, ThingModel>()('things', 't', { ...columns, document: { description: '' } });
  // @ts-expect-error a default of another type
  define<Thing, ThingModel>()('things', 't', { ...columns, document: { ...document, description: 1 } });
  // @ts-expect-error a part of the parts is missing
  defineJsonDocumentList<Part>({ id: alwaysInJsonDocument, name: '', tags: [] });
  // @ts-expect-error the field would never be written
  define<Thing, ThingModel>()('things', 't', { ...columns, name: 'computed' });
  // @ts-expect-error the column is of another type
  define<Omit<Thing, 'size'> & { size: string }, ThingModel>()('things', 't', columns);
  // @ts-expect-error the column may be null, the field must be there
  define<Omit<Thing, 'hint'> & { hint: string }, ThingModel>()('things', 't', columns);
  // @ts-expect-error a field without a column, and no document to hold it
  defineTable<{ id: string; extra: string }, { id: string }>('things', 't', { id: 'fixed' });
  // @ts-expect-error `update` would compare a business that may be null
  define<Owned, OwnedModel>()('things', 't', { id: 'fixed', businessId: 'fixed' });
  expectTypeOf(things.read).returns.toEqualTypeOf<Thing>();
});

it('updates records that have no business by their id alone', () => {
  const owned = defineTable<Owned & { name: string }, OwnedModel & { name: string }>('things', 't', {
    id: 'fixed',
    businessId: 'fixedNullable',
    name: 'column',
  });
  expect(owned.update).toBe('update things as t set name = $1 where t.id = $2');
  expect(owned.updateParams({ id: 'a', name: 'Cup' })).toEqual(['Cup', 'a']);
});
