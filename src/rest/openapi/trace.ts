/** Finds out where a row puts each part of a request, by calling its `variables` with marked values. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Row, RowRequest } from '../row.ts';

/** A place for a value among the variables of an operation. */
export interface Slot {
  type: GraphQLInputType;
  description: string | undefined;
  /** The GraphQL name of the place, such as `CreateProductInput.name`. */
  field: string;
  /** Whether an answer other than a refusal needs a value here. */
  required: boolean;
}

export interface Traced {
  path: Map<string, Slot | undefined>;
  query: Map<string, Slot | undefined>;
  /** Empty when the row reads no body. */
  body: Map<string, Slot | undefined>;
  readsVersion: boolean;
}

const mark = (name: string) => `\u27e6${name}\u27e7`;
/** Stands for all fields that a row copies without naming them. */
const everything = mark('*');
const versionMark = 9_007_199_254_700_001;

export function traceRow(schema: GraphQLSchema, operation: OperationDefinitionNode, row: Row): Traced {
  const slots = variableSlots(schema, operation);
  const call = (request: Partial<RowRequest>) => {
    try {
      return row.variables({ path: {}, query: {}, body: {}, version: undefined, ...request });
    } catch {
      // The row wanted more than this one value.
      return {};
    }
  };
  const names = row.path.split('/').flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []));
  const allPath = Object.fromEntries(names.map((name) => [name, mark(name)]));
  const path = new Map(names.map((name) => [name, find(slots, call({ path: allPath }), mark(name))[0]]));
  const query = new Map(
    Object.keys(row.query).map((name) => [
      name,
      find(slots, call({ path: allPath, query: { [name]: mark(name) } }), mark(name))[0],
    ]),
  );
  const hasBody = row.method === 'POST' || row.method === 'PUT';
  return {
    path,
    query,
    body: hasBody ? traceBody(slots, (body) => call({ path: allPath, body })) : new Map(),
    readsVersion: find(slots, call({ path: allPath, version: versionMark }), versionMark).length > 0,
  };
}

type Slots = ReadonlyMap<string, Slot>;
type Body = Readonly<Record<string, unknown>>;

/** Rows name some fields (aliases of older clients) and copy the rest: both kinds are tried one at a time. */
function traceBody(slots: Slots, call: (body: Body) => Record<string, unknown>): Traced['body'] {
  const named = new Set<string>();
  const copied = new Set<string>();
  for (const fill of [() => undefined, mark]) {
    const variables = call(markedBody({}, named, fill));
    for (const name of copiedInto(slots, variables)) copied.add(name);
  }
  const found = new Map<string, Slot | undefined>();
  for (const name of [...copied, ...named]) {
    if (found.has(name)) continue;
    const token = mark(name);
    const forms = [token, [token], [markedBody({}, new Set(), () => token)], markedBody({}, new Set(), mark)];
    const slot = forms
      .flatMap((form) => find(slots, call(markedBody({ [name]: form }, new Set(), () => undefined)), token))
      .at(0);
    if (slot || named.has(name)) found.set(name, slot);
  }
  return found;
}

/** A body with the given fields that remembers which others were asked for. */
function markedBody(given: Body, asked: Set<string>, fill: (name: string) => unknown): Body {
  const valueAt = (key: string) => {
    if (key === everything) return everything;
    return Object.hasOwn(given, key) ? given[key] : fill(key);
  };
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get(_target, key) {
        if (typeof key === 'symbol' || key in Object.prototype || key === 'toJSON') return undefined;
        if (key !== everything) asked.add(key);
        return valueAt(key);
      },
      has: (_target, key) => typeof key === 'string' && valueAt(key) !== undefined,
      ownKeys: () => [...Object.keys(given), everything],
      getOwnPropertyDescriptor: (_target, key) =>
        typeof key === 'string' && valueAt(key) !== undefined
          ? { value: valueAt(key), enumerable: true, configurable: true }
          : undefined,
    },
  );
}

/** The slots a marked value arrived in. */
function find(slots: Slots, variables: Record<string, unknown>, marked: string | number): Slot[] {
  return [...slots].flatMap(([name, slot]) => findIn(slot, variables[name], marked));
}

function findIn(slot: Slot, value: unknown, marked: string | number): Slot[] {
  if (value === marked || (typeof value === 'string' && value.includes(String(marked)))) return [slot];
  const type = isNonNullType(slot.type) ? slot.type.ofType : slot.type;
  if (Array.isArray(value)) {
    if (!isListType(type)) return [];
    const item = { ...slot, type: type.ofType as GraphQLInputType };
    return value.some((inner) => findIn(item, inner, marked).length > 0) ? [slot] : [];
  }
  if (typeof value !== 'object' || value === null || !isInputObjectType(type)) return [];
  return fieldSlots(slot).flatMap(([name, inner]) =>
    findIn(inner, (value as Record<string, unknown>)[name], marked),
  );
}

/** Names of the fields that were copied wholesale into one of the slots, or into the variables themselves. */
function copiedInto(slots: Slots, variables: Record<string, unknown>): string[] {
  const names = [...slots].flatMap(([name, slot]) => copiedIntoSlot(slot, variables[name]));
  return Object.hasOwn(variables, everything) ? [...slots.keys(), ...names] : names;
}

function copiedIntoSlot(slot: Slot, value: unknown): string[] {
  const type = isNonNullType(slot.type) ? slot.type.ofType : slot.type;
  if (typeof value !== 'object' || value === null || !isInputObjectType(type)) return [];
  if (Object.hasOwn(value, everything)) return Object.keys(type.getFields());
  return fieldSlots(slot).flatMap(([name, inner]) =>
    copiedIntoSlot(inner, (value as Record<string, unknown>)[name]),
  );
}

function fieldSlots(slot: Slot): [string, Slot][] {
  const type = isNonNullType(slot.type) ? slot.type.ofType : slot.type;
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).map((field) => [
    field.name,
    {
      type: field.type,
      description: field.description ?? undefined,
      field: `${type.name}.${field.name}`,
      required: slot.required && isNonNullType(field.type) && field.defaultValue === undefined,
    },
  ]);
}

/** The variables of an operation with what the arguments they stand for say about themselves. */
function variableSlots(schema: GraphQLSchema, operation: OperationDefinitionNode): Slots {
  const slots = new Map<string, Slot>();
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node) as GraphQLInputType;
    slots.set(variable.name.value, {
      type,
      description: undefined,
      field: `$${variable.name.value}`,
      required: isNonNullType(type) && defaultValue === undefined,
    });
  }
  const info = new TypeInfo(schema);
  const describe = (name: string, owner: string, described: { name: string; description?: unknown }) => {
    const slot = slots.get(name);
    if (!slot) return;
    slot.field = `${owner}.${described.name}`;
    slot.description = typeof described.description === 'string' ? described.description : undefined;
  };
  visit(
    operation,
    visitWithTypeInfo(info, {
      Argument({ value }) {
        const argument = info.getArgument();
        if (value.kind === Kind.VARIABLE && argument)
          describe(value.name.value, `${info.getParentType()?.name}.${info.getFieldDef()?.name}`, argument);
      },
      ObjectField({ name, value }) {
        const parent = info.getParentInputType();
        const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
        if (value.kind === Kind.VARIABLE && field) describe(value.name.value, String(parent), field);
      },
    }),
  );
  return slots;
}
