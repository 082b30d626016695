/** Fields that follow from their parent alone. Only they may be part of a text that is made once and shown to many. */
import type { GraphQLField } from 'graphql';

const key = 'duetPlain';

/** Options of a field whose resolver looks at nothing but its parent, neither at the viewer nor at the clock. */
export const pureField = { extensions: { [key]: true } };

export type PureFieldReader = (parent: unknown) => unknown;

interface FieldFacts {
  /** The property that is shown as it is. */
  pothosExposedField?: string;
  /** Something stands before the resolver, such as a scope. */
  pothosResolveWrapped?: boolean;
  [key]?: boolean;
}

/** Undefined: the value may depend on more than the parent. */
export function pureReaderOf(field: GraphQLField<unknown, unknown>): PureFieldReader | undefined {
  const facts = field.extensions as FieldFacts;
  if (field.args.length > 0 || facts.pothosResolveWrapped) return undefined;
  const property = facts.pothosExposedField;
  if (property !== undefined) return (parent) => (parent as Record<string, unknown>)[property];
  if (!facts[key] || !field.resolve) return undefined;
  if (field.resolve.length > 1)
    throw new Error(`${field.name} is called plain, but asks for more than its parent.`);
  return field.resolve as PureFieldReader;
}
