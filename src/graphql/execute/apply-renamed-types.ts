/** Names that types had in earlier versions: documents of older clients keep working. */
import { type DocumentNode, type GraphQLSchema, Kind, type SelectionSetNode, visit } from 'graphql';

const oldName = 'Subscription';
const newName = 'NewsletterSubscription';

/**
 * The newsletter's record was called `Subscription`, which is now the root type. Fragments on `Subscription` that select fields which the
 * root type lacks are fragments on the record.
 */
export function applyRenamedTypes(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const rootFields = schema.getSubscriptionType()?.getFields() ?? {};
  const isOfRecord = ({ selections }: SelectionSetNode) =>
    selections.some(
      (selection) =>
        selection.kind === Kind.FIELD &&
        !selection.name.value.startsWith('__') &&
        !Object.hasOwn(rootFields, selection.name.value),
    );
  const rename = <Node extends Fragment>(node: Node): Node | undefined =>
    node.typeCondition?.name.value === oldName && isOfRecord(node.selectionSet)
      ? { ...node, typeCondition: { ...node.typeCondition, name: { kind: Kind.NAME, value: newName } } }
      : undefined;
  return visit(document, { FragmentDefinition: rename, InlineFragment: rename });
}

type Fragment = {
  readonly typeCondition?: { readonly kind: Kind.NAMED_TYPE; readonly name: { readonly value: string } };
  readonly selectionSet: SelectionSetNode;
};

/** Whether a document may contain such a fragment. */
export const mayUseRenamedTypes = (source: string): boolean => /\bon\s+Subscription\b/.test(source);
