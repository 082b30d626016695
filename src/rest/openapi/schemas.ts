/** JSON Schema of GraphQL types: whole input types, and of output types what an operation selects. */
import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { exampleOf } from './examples.ts';
import type { Meaning, Selected, Symbols } from './symbols.ts';

export type JsonSchema = { [keyword: string]: unknown };

export const schemaRef = (name: string) => `#/components/schemas/${name}`;

const scalars: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Timestamp: { type: 'integer', format: 'int64' },
  Money: { type: 'integer', format: 'int64' },
  JSON: {},
};

/** REST drops nulls, so what may be null is optional; `cursor` is the one null that stays. */
const staysNull = (key: string) => key === 'cursor';

export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #schema: GraphQLSchema;
  /** For each output type, the component of each selection of it. */
  readonly #names = new Map<string, Map<string, string>>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  input(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return this.input(type.ofType);
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType) };
    if (isInputObjectType(type)) {
      if (!this.schemas[type.name]) {
        const schema: JsonSchema = {};
        this.schemas[type.name] = schema;
        const fields = Object.values(type.getFields());
        Object.assign(
          schema,
          objectSchema(
            Object.fromEntries(
              fields.map((field) => [
                field.name,
                this.property(
                  this.input(field.type),
                  field.name,
                  field.type,
                  field.description,
                  `${type.name}.${field.name}`,
                ),
              ]),
            ),
            fields
              .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
              .map(({ name }) => name),
            type.description,
          ),
        );
      }
      return { $ref: schemaRef(type.name) };
    }
    return this.#leaf(type);
  }

  /** The input type of that name, when its fields are these. */
  inputNamed(name: string, fields: readonly string[]): JsonSchema | undefined {
    const type = this.#schema.getType(name);
    if (!isInputObjectType(type)) return undefined;
    const own = Object.keys(type.getFields());
    return own.length === fields.length && own.every((field) => fields.includes(field))
      ? this.input(type)
      : undefined;
  }

  /** The schema of what a row answers: symbolic values, or literals of the row's own. */
  answer(symbols: Symbols, value: unknown, operation: string): JsonSchema {
    const meaning = symbols.meaningOf(value);
    if (meaning) return this.#output(symbols, meaning, operation);
    if (Array.isArray(value)) return { type: 'array', items: this.answer(symbols, value[0], operation) };
    if (typeof value !== 'object' || value === null) return { type: value === null ? 'null' : typeof value };
    const present = Object.entries(value).filter(
      ([key, inner]) => (inner !== null && inner !== undefined) || staysNull(key),
    );
    const properties = Object.fromEntries(
      present.map(([key, inner]) => {
        const known = symbols.meaningOf(inner);
        const schema = this.answer(symbols, inner, operation);
        if (staysNull(key)) return [key, { ...schema, type: ['string', 'null'], ...described(known) }];
        return [key, known ? this.#described(schema, key, known) : schema];
      }),
    );
    const required = present
      .filter(([key, inner]) => staysNull(key) || !symbols.meaningOf(inner)?.nullable)
      .map(([key]) => key);
    return objectSchema(properties, required);
  }

  /** Decides which selection of each type carries the type's plain name: the one with most fields. */
  nameSelections(found: readonly { type: GraphQLObjectType; signature: string; operation: string }[]): void {
    for (const type of new Set(found.map((use) => use.type.name))) {
      const uses = found.filter((use) => use.type.name === type);
      const names = new Map<string, string>();
      const signatures = [...new Set(uses.map(({ signature }) => signature))].sort(
        (a, b) => b.length - a.length || (a < b ? -1 : 1),
      );
      for (const signature of signatures) {
        const operation = uses.find((use) => use.signature === signature)?.operation ?? '';
        names.set(signature, names.size === 0 ? type : `${type}In${operation}`);
      }
      this.#names.set(type, names);
    }
  }

  #output(symbols: Symbols, { type, selected }: Meaning, operation: string): JsonSchema {
    return this.#outputType(symbols, type, selected.selections, operation);
  }

  #outputType(
    symbols: Symbols,
    type: GraphQLOutputType,
    selections: readonly SelectionSetNode[],
    operation: string,
  ): JsonSchema {
    if (isNonNullType(type)) return this.#outputType(symbols, type.ofType, selections, operation);
    if (isListType(type))
      return { type: 'array', items: this.#outputType(symbols, type.ofType, selections, operation) };
    if (isAbstractType(type)) {
      const members = this.#schema.getPossibleTypes(type);
      return { anyOf: members.map((member) => this.#outputType(symbols, member, selections, operation)) };
    }
    if (!isObjectType(type)) return this.#leaf(type);
    const name = this.#names.get(type.name)?.get(signatureOf(symbols, type, selections)) ?? type.name;
    if (!this.schemas[name]) {
      const schema: JsonSchema = {};
      this.schemas[name] = schema;
      const fields = symbols.fieldsOf(type, selections);
      const properties = fields.map((selected) => {
        const { key, field } = selected;
        const inner = this.#outputType(symbols, field.type, selected.selections, operation);
        return [
          key,
          this.property(inner, key, field.type, field.description, `${type.name}.${field.name}`),
        ] as const;
      });
      Object.assign(
        schema,
        objectSchema(
          Object.fromEntries(properties),
          fields.filter(({ field }) => isNonNullType(field.type)).map(({ key }) => key),
          type.description,
        ),
      );
    }
    return { $ref: schemaRef(name) };
  }

  #leaf(type: GraphQLInputType | GraphQLOutputType): JsonSchema {
    if (isEnumType(type)) {
      this.schemas[type.name] ??= {
        type: 'string',
        ...(type.description ? { description: type.description } : {}),
        enum: type.getValues().map(({ name }) => name),
        'x-graphql-type': type.name,
      };
      return { $ref: schemaRef(type.name) };
    }
    const known = scalars[getNamedType(type).name];
    if (!known) throw new Error(`No JSON Schema for the scalar ${getNamedType(type).name}.`);
    return known;
  }

  #described(schema: JsonSchema, key: string, { selected }: Meaning): JsonSchema {
    const { field, owner } = selected;
    return this.property(schema, key, field.type, field.description, `${owner.name}.${field.name}`);
  }

  /** A property with its description, an example and the GraphQL field it is. */
  property(
    schema: JsonSchema,
    name: string,
    type: GraphQLInputType | GraphQLOutputType,
    description: string | null | undefined,
    graphqlField: string,
  ): JsonSchema {
    const example = exampleOf(name, type, graphqlField);
    return {
      ...schema,
      ...(description ? { description } : {}),
      ...(example === undefined ? {} : { examples: [example] }),
      'x-graphql-field': graphqlField,
    };
  }
}

const described = (meaning: Meaning | undefined) =>
  meaning
    ? {
        ...(meaning.selected.field.description ? { description: meaning.selected.field.description } : {}),
        'x-graphql-field': `${meaning.selected.owner.name}.${meaning.selected.field.name}`,
      }
    : {};

export const objectSchema = (
  properties: Record<string, JsonSchema>,
  required: readonly string[],
  description?: string | null | undefined,
): JsonSchema => ({
  type: 'object',
  ...(description ? { description } : {}),
  ...(required.length > 0 ? { required: [...required] } : {}),
  properties,
});

/** What is selected of a type, as a text that is equal for equal selections. */
function signatureOf(
  symbols: Symbols,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): string {
  const part = ({ key, field, selections: below }: Selected): string => {
    const named = getNamedType(field.type);
    return isObjectType(named) ? `${key}{${signatureOf(symbols, named, below)}}` : key;
  };
  return symbols.fieldsOf(type, selections).map(part).sort().join(',');
}

/** Every object type an operation selects, with its selection. */
export function selectionsOf(
  symbols: Symbols,
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): { type: GraphQLObjectType; signature: string }[] {
  return symbols.fieldsOf(type, selections).flatMap(({ field, selections: below }) => {
    const named = getNamedType(field.type);
    const members = isObjectType(named)
      ? [named]
      : isAbstractType(named)
        ? schema.getPossibleTypes(named)
        : [];
    return members.flatMap((member) => [
      { type: member, signature: signatureOf(symbols, member, below) },
      ...selectionsOf(symbols, schema, member, below),
    ]);
  });
}
