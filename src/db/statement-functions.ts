/** The functions `sql` and `write` of a database handle, over the connection that sends its statements. */
import { type AuditContext, attachAuditContext } from './audit-context.ts';
import type { OnStatement, QueryHandle } from './handles.ts';
import { traceStatement } from './statement-tracing.ts';

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

export function createStatementFunctions(
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
