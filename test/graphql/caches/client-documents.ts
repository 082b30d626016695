/** Documents as clients with a normalising cache send them: with `__typename` and every `id`, and without the names of REST. */
import {
  type DocumentNode,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { schema } from '../../../src/graphql/schema/schema.ts';

const fieldNode = (value: string): SelectionNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value },
});

/** Apollo Client adds `__typename`, the Relay compiler adds `id`. REST calls keys `id`; a client must not, since a cache reads the alias. */
export function toClientDocument(source: string): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    parse(source),
    visitWithTypeInfo(types, {
      Field(node) {
        if (node.alias?.value !== 'id' || node.name.value === 'id') return undefined;
        const { alias: _restName, ...field } = node;
        return field;
      },
      SelectionSet: {
        leave(node, _key, parent) {
          if (!parent || Array.isArray(parent) || !('kind' in parent)) return undefined;
          if (parent.kind === Kind.OPERATION_DEFINITION) return undefined;
          const type = getNamedType(types.getType() ?? types.getParentType());
          if (!isCompositeType(type)) return undefined;
          const hasId = (isObjectType(type) || isInterfaceType(type)) && type.getFields().id;
          const added = [fieldNode('__typename'), ...(hasId ? [fieldNode('id')] : [])];
          return { ...node, selections: [...added, ...node.selections] };
        },
      },
    }),
  );
}
