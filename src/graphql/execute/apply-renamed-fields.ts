/** Names that fields had in earlier versions: documents of older clients keep working, with the same response. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** What was `id` until 2026-11-18, by type. A key is unique only within its parent, and caches take every `id` as identity. */
const fieldsNamedId: Readonly<Record<string, string>> = {
  Address: 'key',
  ApiToken: 'key',
  Block: 'key',
  BlockValue: 'key',
  ContentStatusEntry: 'key',
  Customer: 'userId',
  CustomerGroup: 'key',
  DeletedPayload: 'deletedId',
  EntryStatusChange: 'entryId',
  Media: 'key',
  OrderStatusEntry: 'key',
  PaymentStatusEntry: 'key',
  Person: 'userId',
  Plan: 'key',
  ProductStatusEntry: 'key',
  ShippingMethod: 'key',
};

/** Selects the renamed fields under their former name. Returns the same document if it has none of them. */
export function applyRenamedFields(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field(node): FieldNode | undefined {
        if (node.name.value !== 'id') return undefined;
        const name = fieldsNamedId[types.getParentType()?.name ?? ''];
        if (name === undefined) return undefined;
        return { ...node, alias: node.alias ?? node.name, name: { kind: Kind.NAME, value: name } };
      },
    }),
  );
}
