/** The schema of what a row answers. */
import { isNonNullType } from 'graphql';
import { type Components, type JsonSchema, objectSchema } from './schemas.ts';
import { graphqlField, type ReadRow, type Selected, selectedAt } from './selection.ts';

export function answerOf(read: ReadRow, components: Components): JsonSchema {
  const { answer, operation } = read.row;
  const schemaAt = (selected: Selected) => components.output(read.selection, selected, operation.name);
  const property = (name: string, selected: Selected) => {
    const { field } = selected;
    return components.property(
      schemaAt(selected),
      name,
      field.type,
      field.description,
      graphqlField(selected),
    );
  };
  if ('success' in answer) return objectSchema({ success: { type: 'boolean' } }, ['success']);
  if ('list' in answer) {
    const cursor = selectedAt(read, `${answer.list}.pageInfo.endCursor`);
    return objectSchema(
      {
        items: property('items', selectedAt(read, `${answer.list}.nodes`)),
        // The one null that stays.
        cursor: {
          type: ['string', 'null'],
          ...(cursor.field.description ? { description: cursor.field.description } : {}),
          'x-graphql-field': graphqlField(cursor),
        },
      },
      ['items', 'cursor'],
    );
  }
  if ('value' in answer)
    return objectSchema({ [answer.as]: property(answer.as, selectedAt(read, answer.value)) }, [answer.as]);
  const record = schemaAt(selectedAt(read, answer.at));
  if (!answer.otherwise) return record;
  const others = Object.entries(answer.otherwise).map(([name, at]) => [name, selectedAt(read, at)] as const);
  const otherwise = objectSchema(
    Object.fromEntries(others.map(([name, selected]) => [name, property(name, selected)])),
    others.filter(([, { field }]) => isNonNullType(field.type)).map(([name]) => name),
  );
  return { anyOf: [record, otherwise] };
}
