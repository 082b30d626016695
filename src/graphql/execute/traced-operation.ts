/** Tracing span of an operation. */
import type { OperationDefinitionNode } from 'graphql';
import { withSpan } from '../../lib/tracing.ts';

/** The span carries the operation name, never the document text. */
export const tracedOperation = <T>({ operation, name }: OperationDefinitionNode, run: () => T): T =>
  withSpan('operation', 'internal', {}, (span) => {
    if (span) {
      span.name = name ? `${operation} ${name.value}` : operation;
      span.attributes['graphql.operation.type'] = operation;
      if (name) span.attributes['graphql.operation.name'] = name.value;
    }
    return run();
  });
