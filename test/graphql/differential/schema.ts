/** The gateway's schema with resolvers without a database: values depend only on coordinate, arguments and seed. */
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  printSchema,
} from 'graphql';
import { AppError } from '../../../src/errors.ts';
import { enableReplayOfRootResults } from '../../../src/graphql/fast/recorded-root-results.ts';
import { jsonScalar, moneyScalar, timestampScalar } from '../../../src/graphql/schema/scalars.ts';
import { schema as ours } from '../../../src/graphql/schema/schema.ts';
import { canonicalJson } from '../../../src/lib/json/canonical-json.ts';

interface Seeded {
  seed: number;
}

/** FNV-1a hash of a text, with additional mixing. */
export function hashOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  hash ^= hash >>> 15;
  return Math.imul(hash, 2246822507) >>> 0;
}

/**
 * Whether fields fail synchronously or asynchronously. Never both in one document: when a list fails synchronously, graphql-js does not
 * wait for its other items, and their rejections would end the process.
 */
export type Failing = 'now' | 'later';

export function syntheticSchema(): GraphQLSchema {
  const schema = buildSchema(printSchema(ours));
  for (const { name, serialize, parseValue, parseLiteral } of [jsonScalar, moneyScalar, timestampScalar])
    Object.assign(schema.getType(name) as object, { serialize, parseValue, parseLiteral });
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) type.resolveType = (value) => (value as { is?: string }).is;
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      field.resolve = (
        parent: Partial<Seeded> | undefined,
        args: object,
        { failing }: { failing: Failing },
      ) => {
        const at = `${type.name}.${field.name}:${parent?.seed ?? 0}:${canonicalJson(args)}`;
        return resolveValue(field.type, hashOf(at), { schema, failing, args: canonicalJson(args) });
      };
  }
  return enableReplayOfRootResults(schema);
}

interface ResolveContext {
  schema: GraphQLSchema;
  failing: Failing;
  args: string;
}

/** Resolves synchronously or asynchronously, sometimes to null, sometimes to an error. */
function resolveValue(type: GraphQLOutputType, seed: number, context: ResolveContext): unknown {
  const kind = seed % 97;
  if (kind === 1) return fail(new AppError('FORBIDDEN', `Refused ${seed}.`), context);
  const value = kind === 2 ? null : valueFor(type, seed, context);
  const isLate = context.failing === 'later' && (kind % 3 === 0 || value === null);
  return isLate ? Promise.resolve(value) : value;
}

function fail(error: AppError, { failing }: ResolveContext): unknown {
  if (failing === 'later') return Promise.reject(error);
  throw error;
}

function valueFor(type: GraphQLOutputType, seed: number, context: ResolveContext): unknown {
  if (isNonNullType(type)) return valueFor(type.ofType, seed, context);
  if (isListType(type))
    return Array.from({ length: seed % 4 }, (_item, index) => {
      const inner = hashOf(`${seed}[${index}`);
      const mayFail = context.failing === 'now' || !isNonNullType(type.ofType);
      return mayFail && inner % 11 === 4 ? null : valueFor(type.ofType, inner, context);
    });
  if (isEnumType(type)) return type.getValues()[seed % type.getValues().length]?.value;
  if (isScalarType(type)) return leafValue(type.name, seed, context.args);
  const possible: readonly GraphQLObjectType[] = isAbstractType(type)
    ? context.schema.getPossibleTypes(type)
    : [type];
  return { seed, is: possible[seed % possible.length]?.name };
}

function leafValue(name: string, seed: number, args: string): unknown {
  if (name === 'Boolean') return seed % 2 === 0;
  if (name === 'Int') return (seed % 4001) - 2000;
  if (name === 'Float') return (seed % 4001) / 7;
  if (name === 'Money' || name === 'Timestamp') return seed;
  if (name === 'JSON') return { seed, args, list: [null, seed % 5, 'x'] };
  return `${name} ${seed} of ${args}`;
}
