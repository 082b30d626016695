/** PERF: pure fields, whose value depends on the parent alone. Only pure fields may be part of JSON that is rendered once and sent to many viewers. */
import type { GraphQLField } from 'graphql';

const key = 'duetPureField';

/** Options of a field whose resolver uses the parent only: neither viewer, arguments, database nor clock. */
export const pureField = { extensions: { [key]: true } };

export type PureFieldReader = (parent: unknown) => unknown;

interface FieldExtensions {
  /** Property that the field exposes unchanged. */
  pothosExposedField?: string;
  /** A plugin wraps the resolver, for example with an auth scope. */
  pothosResolveWrapped?: boolean;
  [key]?: boolean;
}

/** Undefined: the field is not pure. */
export function pureReaderOf(field: GraphQLField<unknown, unknown>): PureFieldReader | undefined {
  const extensions = field.extensions as FieldExtensions;
  if (field.args.length > 0 || extensions.pothosResolveWrapped) return undefined;
  const property = extensions.pothosExposedField;
  if (property !== undefined) return (parent) => (parent as Record<string, unknown>)[property];
  if (!extensions[key] || !field.resolve) return undefined;
  if (field.resolve.length > 1)
    throw new Error(
      `${field.name} is marked as a pure field, but its resolver has more parameters than the parent.`,
    );
  return field.resolve as PureFieldReader;
}
