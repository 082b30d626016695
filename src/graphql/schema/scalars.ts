/** Our own scalars: times and amounts of money do not fit 32 bits, and the values of blocks are any JSON. */
import {
  GraphQLError,
  type GraphQLScalarTypeConfig,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

const safeInteger = (what: string) => (value: unknown) => {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new GraphQLError(`Must be ${what}.`);
};

const integerScalar = (name: string, what: string, description: string, specifiedByURL: string) => {
  const check = safeInteger(what);
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
  'A moment as integer Unix time in seconds.',
  'https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap04.html#tag_04_19',
);

export const moneyScalar = integerScalar(
  'Money',
  'an integer in minor units',
  'An amount of money as an integer in minor units, such as cents.',
  'https://www.iso.org/iso-4217-currency-codes.html',
);

export const jsonScalar = {
  name: 'JSON',
  description: 'Any JSON value. Used only where the shape is decided by data, such as the value of a block.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value: unknown) => value,
  parseValue: (value: unknown) => value,
  parseLiteral: (node: ValueNode, variables: Record<string, unknown> | null | undefined) =>
    valueFromASTUntyped(node, variables),
} satisfies GraphQLScalarTypeConfig<unknown, unknown>;
