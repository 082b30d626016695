/** Custom scalars: Timestamp and Money, which do not fit into 32 bits, DateTime, and JSON for block values. */
import {
  GraphQLError,
  type GraphQLScalarTypeConfig,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

const safeInteger = (expected: string) => (value: unknown) => {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new GraphQLError(`Must be ${expected}.`);
};

const integerScalar = (name: string, expected: string, description: string, specifiedByURL: string) => {
  const check = safeInteger(expected);
  return {
    name,
    description,
    specifiedByURL,
    serialize: check,
    parseValue: check,
    parseLiteral: (node: ValueNode) => check(node.kind === Kind.INT ? Number(node.value) : undefined),
  } satisfies GraphQLScalarTypeConfig<number, number>;
};

export const timestampScalar = integerScalar(
  'Timestamp',
  'an integer number of seconds',
  'Unix time in seconds, as an integer.',
  'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap04.html#tag_04_19',
);

export const moneyScalar = integerScalar(
  'Money',
  'an integer in minor units',
  'Amount of money in minor units, such as cents, as an integer.',
  'https://www.iso.org/iso-4217-currency-codes.html',
);

/** Output only. The value in resolvers is a Unix time in seconds, as for Timestamp. */
export const dateTimeScalar = {
  name: 'DateTime',
  description: 'ISO 8601 date and time in UTC, such as `2026-11-18T09:30:00.000Z`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time',
  serialize: (value: unknown) => new Date(Number(value) * 1000).toISOString(),
} satisfies GraphQLScalarTypeConfig<string, string>;

export const jsonScalar = {
  name: 'JSON',
  description: 'Any JSON value. Used only where the type depends on data, such as the value of a block.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value: unknown) => value,
  parseValue: (value: unknown) => value,
  parseLiteral: (node: ValueNode, variables: Record<string, unknown> | null | undefined) =>
    valueFromASTUntyped(node, variables),
} satisfies GraphQLScalarTypeConfig<unknown, unknown>;
