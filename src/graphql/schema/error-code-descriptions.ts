/** Tells in the description of every root field which reasons it can refuse with, read off its code. */
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { codesByField, formCodes } from '../../generated/domains/detail-codes.ts';

const form: ReadonlySet<string> = new Set(formCodes);

/** Carts are read with what checkout would refuse in their `problems`: reading them refuses nothing of it. */
const tellProblems: ReadonlySet<string> = new Set(['cart', 'myCart', 'node', 'nodes']);

/** Faults of form, such as REQUIRED, any field with arguments can have: only the others are worth telling. */
export function appendErrorCodes(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType()])
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (tellProblems.has(field.name)) continue;
      const codes = (codesByField[field.name] ?? []).filter((code) => !form.has(code));
      if (codes.length > 0)
        field.description = `${field.description ?? ''}${separator}Refuses with ${codes.join(', ')}.`;
    }
  return schema;
}

const separator = '\n\n';

/** The description without the reasons, for contracts that tell those elsewhere. */
export const descriptionWithoutErrorCodes = ({ description }: GraphQLField<unknown, unknown>) =>
  description?.split(separator)[0];
