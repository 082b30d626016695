/** Creates the functions `sql` and `write` of a database handle over the connection of its statements, with a tracing span for each. */
import { withSpan } from '../lib/tracing.ts';
import { type AuditContext, attachAuditContext } from './audit-context.ts';
import type { OnStatement, QueryHandle } from './handles.ts';

export interface SentStatement {
  readonly text: string;
  readonly params: unknown[];
}

interface StatementFunctionsOptions {
  auditContext: AuditContext;
  onStatement: OnStatement | undefined;
  onRead: OnStatement | undefined;
  send<Row>(statement: SentStatement): Promise<Row[]>;
}

export function createSqlAndWriteFunctions(
  options: StatementFunctionsOptions,
): Pick<QueryHandle, 'sql' | 'write'> {
  const { auditContext, onStatement, onRead } = options;
  const run = <Row>(text: string, statement: SentStatement): Promise<Row[]> => {
    onStatement?.(text);
    return traceStatement(text, () => options.send<Row>(statement));
  };
  return {
    sql(text, params = []) {
      onRead?.(text);
      return run(text, { text, params: [...params] });
    },
    write: (text, params = []) => run(text, attachAuditContext(text, params, auditContext)),
  };
}

const verb = /^[\s(]*(\w+)/;

/** Span of a statement. Its text has placeholders such as `$1`; parameter values are never recorded. */
export const traceStatement = <T>(text: string, run: () => T): T =>
  withSpan('statement', 'client', {}, (span) => {
    if (span) {
      span.name = `statement ${verb.exec(text)?.[1]?.toLowerCase() ?? ''}`.trim();
      span.attributes['db.system.name'] = 'postgresql';
      span.attributes['db.query.text'] = text;
    }
    return run();
  });
