/** The schema of what a row answers, under a name of its own. */
import { isNonNullType } from 'graphql';
import type { Components } from './component-schemas.ts';
import { type JsonSchema, objectSchema } from './json-schema.ts';
import { graphqlField, type ReadRow, type Selected, selectedAt } from './selection.ts';

export function answerOf(read: ReadRow, components: Components): JsonSchema {
  const { response: answer, operation } = read.row;
  const schemaAt = (selected: Selected) => components.output(read.selection, selected, operation.name);
  const property = (selected: Selected) => {
    const { type, description } = selected.field;
    return components.property(schemaAt(selected), type, description, graphqlField(selected));
  };
  if ('success' in answer)
    return components.named(
      'Success',
      objectSchema(
        { success: { type: 'boolean', description: 'Always true: failures are errors.' } },
        ['success'],
        'It is done.',
      ),
    );
  if ('list' in answer) {
    const cursor = selectedAt(read, `${answer.list}.pageInfo.endCursor`);
    const items = property(selectedAt(read, `${answer.list}.nodes`));
    return components.named(
      `${itemName(items)}List`,
      objectSchema(
        {
          items,
          // The one null that stays.
          cursor: {
            type: ['string', 'null'],
            description: 'Send it as `cursor` to get the next page; null when this is the last one.',
            'x-graphql-field': graphqlField(cursor),
          },
        },
        ['items', 'cursor'],
        'One page of a list, in its order: the newest first, if it does not say otherwise.',
      ),
    );
  }
  if ('value' in answer)
    return components.named(
      `${operation.name.replace(/^Get/, '')}Answer`,
      objectSchema(
        { [answer.as]: property(selectedAt(read, answer.value)) },
        [answer.as],
        'The answer, under its name.',
      ),
    );
  const record = schemaAt(selectedAt(read, answer.at));
  if (!answer.fallback) return record;
  const others = Object.entries(answer.fallback).map(([name, at]) => [name, selectedAt(read, at)] as const);
  const otherwise = components.named(
    `${operation.name}Alternative`,
    objectSchema(
      Object.fromEntries(others.map(([name, selected]) => [name, property(selected)])),
      others.filter(([, { field }]) => isNonNullType(field.type)).map(([name]) => name),
      'The answer instead of the record when there is something to pay first.',
    ),
  );
  return { anyOf: [record, otherwise] };
}

/** The name of the component that the items of a list are. */
const itemName = ({ items }: JsonSchema) =>
  String((items as JsonSchema).$ref ?? '')
    .split('/')
    .at(-1);
