/**
 * Adds to every amount in minor units a field `<name>Money` of type Price, and to every time in Unix seconds a field `<name>DateTime`, and
 * deprecates the bare integers. Applied to the built schema, so that no field can lack its counterpart. REST has the integers only.
 */
import {
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Context } from '../../context.ts';
import { deprecationReason } from './deprecations.ts';
import { pureFieldExtensions, pureReaderOf } from './pure-field-plugin.ts';

const since = '2026-11-18';

type Field = GraphQLField<unknown, Context>;
type OutputType = GraphQLObjectType | GraphQLScalarType;
type Resolver = NonNullable<Field['resolve']>;

const currencyKey = 'duetCurrencyOf';

/** Options of a type without a field `currency`: its records have the currency of their amounts as a property. */
export const currencyPropertyTypeOptions = {
  extensions: { [currencyKey]: ({ currency }: { currency: string }) => currency },
};

/** Options of a type whose currency is loaded. */
export const loadedCurrencyTypeOptions = <T>(load: (record: T) => Promise<string | undefined>) => ({
  extensions: { [currencyKey]: load, [loadedKey]: true },
});

const loadedKey = 'duetLoadedCurrency';

interface CurrencySource {
  read: Resolver;
  isPure: boolean;
  isNullable: boolean;
}

export function addPriceAndDateTimeSiblings(schema: GraphQLSchema): GraphQLSchema {
  const price = schema.getType('Price') as GraphQLObjectType;
  const dateTime = schema.getType('DateTime') as GraphQLScalarType;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(isObjectType(type) || isInterfaceType(type)) || type === price) continue;
    const fields = type.getFields();
    const currency = currencySourceOf(type);
    for (const field of Object.values(fields)) {
      const scalar = String(getNullableType(field.type));
      if (field.deprecationReason != null) continue;
      if (scalar === 'Timestamp') addSibling(fields, field, 'DateTime', dateTime, field.resolve);
      if (scalar === 'Money' && currency) addMoney(fields, field, currency, price);
    }
  }
  return schema;
}

function currencySourceOf(type: {
  getFields(): Record<string, Field>;
  extensions: Readonly<Record<string, unknown>>;
}): CurrencySource | undefined {
  const currencyOf = type.extensions[currencyKey] as Resolver | undefined;
  const isLoaded = type.extensions[loadedKey] === true;
  if (currencyOf) return { read: currencyOf, isPure: !isLoaded, isNullable: isLoaded };
  const field = type.getFields().currency;
  return field && { read: resolverOf(field), isPure: isPure(field), isNullable: !isNonNullType(field.type) };
}

const isPure = (field: Field) => pureReaderOf(field as never) !== undefined;

const resolverOf = (field: Field): Resolver =>
  (pureReaderOf(field as never) as Resolver | undefined) ??
  field.resolve ??
  ((parent) => (parent as Record<string, unknown>)[field.name]);

const toPrice = (amount: unknown, currency: unknown) =>
  amount === null || amount === undefined || !currency ? null : { amount: Number(amount), currency };

function addMoney(
  fields: Record<string, Field>,
  field: Field,
  currency: CurrencySource,
  price: GraphQLObjectType,
): void {
  const amountOf = resolverOf(field);
  const resolve: Resolver = (parent, args, ctx, info) => {
    const [amount, code] = [amountOf(parent, args, ctx, info), currency.read(parent, args, ctx, info)];
    return amount instanceof Promise || code instanceof Promise
      ? Promise.all([amount, code]).then(([value, settledCode]) => toPrice(value, settledCode))
      : toPrice(amount, code);
  };
  addSibling(fields, field, 'Money', price, resolve, currency);
}

/** The first sentence names the type, so that the description is more than the name of the field. */
const describeSibling = (description: string, suffix: 'Money' | 'DateTime') =>
  description
    .replace(/,? in (?:minor units|Unix seconds)/, '')
    .replace(/\.?$/, suffix === 'Money' ? '. Decimal amount with its currency.' : '. ISO 8601, in UTC.');

function addSibling(
  fields: Record<string, Field>,
  field: Field,
  suffix: 'Money' | 'DateTime',
  type: OutputType,
  resolve: Resolver | undefined,
  currency?: CurrencySource,
): void {
  // `asDate` becomes `asDateTime`.
  const name = `${field.name.replace(/Date$/, '')}${suffix}`;
  const isNullable = !isNonNullType(field.type) || currency?.isNullable;
  const isSiblingPure = isPure(field) && currency?.isPure !== false;
  fields[name] = {
    name,
    description: describeSibling(field.description ?? '', suffix),
    type: isNullable ? type : new GraphQLNonNull(type),
    args: field.args,
    resolve: resolve ?? resolverOf(field),
    deprecationReason: undefined,
    extensions: isSiblingPure ? pureFieldExtensions : {},
    astNode: undefined,
  };
  field.deprecationReason = deprecationReason({ since, reason: `Use \`${name}\`.` });
}
