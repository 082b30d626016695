/** Relay's store. Its compiler is not installed: the documents are compiled here, as far as these operations need it. */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  typeFromAST,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { createOperationDescriptor, Environment, Network, RecordSource, Store } from 'relay-runtime';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { type ClientCache, operationOf } from './cached-operation.ts';

type RelayNode = Record<string, unknown>;

const compileValue = (name: string, value: ValueNode): RelayNode => {
  if (value.kind === Kind.VARIABLE) return { kind: 'Variable', name, variableName: value.name.value };
  if (value.kind === Kind.OBJECT)
    return {
      kind: 'ObjectValue',
      name,
      fields: value.fields.map((field) => compileValue(field.name.value, field.value)),
    };
  if (value.kind === Kind.LIST)
    return {
      kind: 'ListValue',
      name,
      items: value.values.map((item, index) => compileValue(`${name}.${index}`, item)),
    };
  return { kind: 'Literal', name, value: valueFromASTUntyped(value) };
};

const compileArguments = (nodes: readonly ArgumentNode[] = []) =>
  nodes.length === 0
    ? null
    : [...nodes]
        .sort((a, b) => (a.name.value < b.name.value ? -1 : 1))
        .map((node) => compileValue(node.name.value, node.value));

class RelayCompiler {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(document: DocumentNode) {
    this.#fragments = new Map(
      document.definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    );
  }

  selections(parent: GraphQLCompositeType, { selections }: SelectionSetNode): RelayNode[] {
    return selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return [this.#field(parent, node)];
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node;
      if (!fragment) throw new Error('Unknown fragment.');
      const type = fragment.typeCondition ? typeFromAST(schema, fragment.typeCondition) : parent;
      if (!isCompositeType(type)) throw new Error('Fragment on an unknown type.');
      return this.#fragment(parent, type, fragment.selectionSet);
    });
  }

  /** Without discriminators of abstract types: a fragment on one becomes a fragment on each of its types. */
  #fragment(parent: GraphQLCompositeType, type: GraphQLCompositeType, selectionSet: SelectionSetNode) {
    if (type === parent || (isAbstractType(type) && isObjectType(parent)))
      return this.selections(parent, selectionSet);
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    return types.map((concrete) => ({
      kind: 'InlineFragment',
      type: concrete.name,
      abstractKey: null,
      selections: this.selections(concrete, selectionSet),
    }));
  }

  #field(parent: GraphQLCompositeType, { name, alias, arguments: args, selectionSet }: FieldNode): RelayNode {
    const type = fieldType(parent, name.value);
    const named = getNamedType(type);
    const field = {
      alias: alias?.value ?? null,
      args: compileArguments(args),
      name: name.value,
      storageKey: null,
    };
    if (!selectionSet || !isCompositeType(named)) return { kind: 'ScalarField', ...field };
    return {
      kind: 'LinkedField',
      ...field,
      concreteType: isAbstractType(named) ? null : named.name,
      plural: isListType(getNullableType(type)),
      selections: this.selections(named, selectionSet),
    };
  }
}

function fieldType(parent: GraphQLCompositeType, name: string): GraphQLOutputType {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  if (field) return field.type;
  const typename = schema.getQueryType()?.getFields().__typename?.type ?? schema.getType('String');
  return typename as GraphQLOutputType;
}

function compileRequest(name: string, document: DocumentNode) {
  const { operation, selectionSet, variableDefinitions = [] } = operationOf(document);
  const root = schema.getRootType(operation);
  if (!root) throw new Error(`No type for ${operation}.`);
  const selections = new RelayCompiler(document).selections(root, selectionSet);
  const argumentDefinitions = variableDefinitions.map(({ variable, defaultValue }) => ({
    kind: 'LocalArgument',
    name: variable.name.value,
    defaultValue: defaultValue ? valueFromASTUntyped(defaultValue) : null,
  }));
  return {
    kind: 'Request',
    fragment: { kind: 'Fragment', name, type: root.name, metadata: null, argumentDefinitions, selections },
    operation: { kind: 'Operation', name, argumentDefinitions, selections },
    params: { id: null, cacheID: name, metadata: {}, name, operationKind: operation, text: '' },
  } as const;
}

export function createRelayStore(): ClientCache {
  const environment = new Environment({
    network: Network.create(() => Promise.reject(new Error('No network.'))),
    store: new Store(new RecordSource(), { gcReleaseBufferSize: 10_000 }),
  });
  const descriptorOf = ({ name, document, variables }: Parameters<ClientCache['read']>[0]) =>
    createOperationDescriptor(compileRequest(name, document) as never, variables);
  return {
    write(operation) {
      const descriptor = descriptorOf(operation);
      environment.retain(descriptor);
      environment.commitPayload(descriptor, operation.data as never);
    },
    read: (operation) => environment.lookup(descriptorOf(operation).fragment).data,
  };
}
