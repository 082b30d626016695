/** Random documents over a schema, with aliases, arguments, variables, defaults, fragments and directives. */
import {
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  typeFromAST,
} from 'graphql';

export interface RandomRequest {
  query: string;
  variables: Record<string, unknown>;
}

export function randomRequest(schema: GraphQLSchema, seed: number): RandomRequest {
  return new DocumentWriter(schema, seed).request();
}

/** Random values for the variables of an existing document. */
export function randomVariables(schema: GraphQLSchema, document: DocumentNode, seed: number) {
  return new DocumentWriter(schema, seed).variablesOf(document);
}

const maxDepth = 5;
/** Most documents are small, some are large: most differences already occur in small ones. */
const [fewFields, manyFields] = [5, 24];

interface Fields {
  all: GraphQLField<unknown, unknown>[];
  leaves: GraphQLField<unknown, unknown>[];
}

const fieldCache = new WeakMap<GraphQLNamedType, Fields>();

function fieldsOf(type: GraphQLNamedType): Fields {
  const cached = fieldCache.get(type);
  if (cached) return cached;
  const all = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const fields = { all, leaves: all.filter((field) => isLeafType(getNamedType(field.type))) };
  fieldCache.set(type, fields);
  return fields;
}

class DocumentWriter {
  readonly #schema: GraphQLSchema;
  #state: number;
  #fields = 0;
  readonly #maxFields: number;
  readonly #definitions: string[] = [];
  readonly #fragments: { name: string; type: GraphQLNamedType; text: string }[] = [];
  readonly #variables: Record<string, unknown> = {};
  /** Probability of features that graphql-jit does not run faithfully. */
  readonly #wildness: number;

  constructor(schema: GraphQLSchema, seed: number) {
    this.#schema = schema;
    this.#state = (seed * 2654435761) >>> 0 || 1;
    this.#maxFields = this.#chance(0.85) ? fewFields : manyFields;
    this.#wildness = this.#chance(0.4) ? 0.15 : 0;
  }

  request(): RandomRequest {
    const kind = this.#chance(0.8) ? 'query' : 'mutation';
    const root = this.#schema.getRootType(kind as never) as GraphQLNamedType;
    const body = this.#selections(root, 0);
    const definitions = this.#definitions.length > 0 ? `(${this.#definitions.join(', ')})` : '';
    const fragments = this.#fragments.map(
      ({ name, type, text }) => `fragment ${name} on ${type.name} ${text}`,
    );
    return {
      query: [`${kind} Q${definitions} ${body}`, ...fragments].join('\n'),
      variables: this.#variables,
    };
  }

  variablesOf({ definitions }: DocumentNode): Record<string, unknown> {
    const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    return Object.fromEntries(
      (operation?.variableDefinitions ?? []).flatMap(({ variable, type }) => {
        const of = typeFromAST(this.#schema, type as NamedTypeNode) as GraphQLInputType;
        return isNonNullType(of) || this.#chance(0.7) ? [[variable.name.value, this.#value(of, 0)]] : [];
      }),
    );
  }

  #random(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state / 4294967296;
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #selections(type: GraphQLNamedType, depth: number): string {
    const count = 1 + Math.floor(this.#random() * (depth === 0 ? 2 : 4));
    const parts = Array.from({ length: count }, () => this.#selection(type, depth)).filter(Boolean);
    return `{ ${parts.length > 0 ? parts.join(' ') : '__typename'} }`;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (this.#fields > this.#maxFields) return '';
    if (isAbstractType(type) && this.#chance(0.7))
      return this.#inline(this.#pick(this.#schema.getPossibleTypes(type)), type, depth);
    if (this.#chance(0.08)) return this.#inline(type, type, depth);
    if (this.#chance(0.12)) return this.#spread(type, depth);
    return this.#field(type, depth);
  }

  #field(type: GraphQLNamedType, depth: number): string {
    const fitting = fieldsOf(type)[depth < maxDepth ? 'all' : 'leaves'];
    if (fitting.length === 0 || this.#chance(0.06))
      return `${this.#alias(0.5)}__typename${this.#directive()}`;
    const field = this.#pick(fitting);
    this.#fields += 1;
    const named = getNamedType(field.type);
    const args = this.#arguments(field);
    const inner = isCompositeType(named) ? ` ${this.#selections(named, depth + 1)}` : '';
    return `${this.#alias(args ? 0.9 : 0.3)}${field.name}${args}${this.#directive()}${inner}`;
  }

  #alias(share: number): string {
    if (!this.#chance(share)) return '';
    if (this.#chance(this.#wildness / 4)) return `${this.#pick(['__proto__', 'constructor', 'toString'])}: `;
    return `a${Math.floor(this.#random() * 1000)}: `;
  }

  #inline(type: GraphQLNamedType, around: GraphQLNamedType, depth: number): string {
    const condition = type !== around || this.#chance(0.8) ? `on ${type.name}` : '';
    return `... ${condition}${this.#directive()} ${this.#selections(type, depth)}`;
  }

  #spread(type: GraphQLNamedType, depth: number): string {
    const known = this.#fragments.filter((fragment) => fragment.type === type && fragment.text !== '');
    if (known.length > 0 && this.#chance(0.6)) {
      const { name } = this.#pick(known);
      return this.#chance(0.3)
        ? `...${name}${this.#directive()} ...${name}${this.#directive()}`
        : `...${name}${this.#directive()}`;
    }
    const fragment = { name: `F${this.#fragments.length}`, type, text: '' };
    this.#fragments.push(fragment);
    fragment.text = this.#selections(type, depth);
    return `...${fragment.name}${this.#directive()}`;
  }

  #directive(): string {
    if (!this.#chance(this.#wildness)) return '';
    const condition = this.#chance(0.5)
      ? String(this.#chance(0.5))
      : this.#variable('Boolean!', this.#chance(0.5), undefined);
    return ` @${this.#chance(0.5) ? 'skip' : 'include'}(if: ${condition})`;
  }

  #arguments(field: GraphQLField<unknown, unknown>): string {
    const given = field.args.filter(
      (arg) => (isNonNullType(arg.type) && arg.defaultValue === undefined) || this.#chance(0.35),
    );
    return given.length > 0 ? `(${given.map((arg) => this.#argument(arg)).join(', ')})` : '';
  }

  #argument({ name, type }: GraphQLArgument): string {
    if (this.#chance(0.4)) return `${name}: ${this.#variableOf(type)}`;
    return `${name}: ${this.#literal(type, 0)}`;
  }

  #variableOf(type: GraphQLInputType): string {
    const value = this.#value(type, 0);
    const declared = !isNonNullType(type) && this.#chance(0.3) && value !== null ? `${type}!` : String(type);
    return this.#variable(declared, value, declared.endsWith('!') ? undefined : type);
  }

  /** Declares a variable; a nullable one may be null, absent, or have a default. */
  #variable(type: string, value: unknown, nullable: GraphQLInputType | undefined): string {
    const name = this.#chance(this.#wildness / 4)
      ? `constructor${this.#definitions.length}`
      : `v${this.#definitions.length}`;
    const hasDefault = nullable !== undefined && this.#chance(0.3);
    this.#definitions.push(`$${name}: ${type}${hasDefault ? ` = ${this.#literal(nullable, 2, false)}` : ''}`);
    if (nullable === undefined || this.#chance(0.7)) this.#variables[name] = value;
    else if (this.#chance(0.5)) this.#variables[name] = null;
    return `$${name}`;
  }

  #value(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#value(type.ofType, depth) ?? this.#value(type, depth);
    if (this.#chance(0.1)) return null;
    if (isListType(type))
      return Array.from({ length: Math.floor(this.#random() * 3) }, () =>
        this.#value(type.ofType, depth + 1),
      );
    if (isEnumType(type)) return this.#pick(type.getValues()).name;
    if (isInputObjectType(type))
      return Object.fromEntries(
        Object.values(type.getFields())
          .filter((field) => isNonNullType(field.type) || (depth < 2 && this.#chance(0.4)))
          .map((field) => [field.name, this.#value(field.type, depth + 1)]),
      );
    return this.#leaf(type.name);
  }

  #leaf(name: string): unknown {
    if (name === 'Boolean') return this.#chance(0.5);
    if (name === 'Float') return this.#pick([0, -1.5, 2]);
    if (name === 'Int' || name === 'Money' || name === 'Timestamp') return Math.floor(this.#random() * 100);
    if (name === 'JSON')
      return this.#pick<unknown>([1, 'x', null, [1, { a: null }], { a: { b: [true] } }]) ?? 0;
    return this.#pick(['x', 'ä"\\', '', 'constructor', '12']);
  }

  #literal(type: GraphQLInputType, depth: number, variables = true): string {
    if (isNonNullType(type)) return this.#literalOf(type.ofType, depth, variables);
    return this.#chance(0.1) ? 'null' : this.#literalOf(type, depth, variables);
  }

  #literalOf(type: GraphQLInputType, depth: number, variables: boolean): string {
    const inner = (of: GraphQLInputType) =>
      variables && this.#chance(this.#wildness)
        ? this.#variableOf(of)
        : this.#literal(of, depth + 1, variables);
    if (isListType(type))
      return this.#chance(0.2)
        ? this.#literalOf(getNullableType(type.ofType), depth, variables)
        : `[${Array.from({ length: Math.floor(this.#random() * 3) }, () => inner(type.ofType)).join(', ')}]`;
    if (isEnumType(type)) return this.#pick(type.getValues()).name;
    if (isInputObjectType(type))
      return `{ ${Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type) || (depth < 2 && this.#chance(0.4)))
        .map((field) => `${field.name}: ${inner(field.type)}`)
        .join(', ')} }`;
    if (getNamedType(type).name === 'JSON' && variables && this.#chance(this.#wildness))
      return `{ c: ${this.#variableOf(type)}, l: [${this.#variableOf(type)}, 1] }`;
    return JSON.stringify(this.#leaf(getNamedType(type).name)).replace(/"(\w+)":/g, '$1: ');
  }
}
