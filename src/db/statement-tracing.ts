/** Tracing span of a statement. Its text has placeholders such as `$1`; parameter values are never recorded. */
import { withSpan } from '../lib/tracing.ts';

const verb = /^[\s(]*(\w+)/;

export const traceStatement = <T>(text: string, run: () => T): T =>
  withSpan('statement', 'client', {}, (span) => {
    if (span) {
      span.name = `statement ${verb.exec(text)?.[1]?.toLowerCase() ?? ''}`.trim();
      span.attributes['db.system.name'] = 'postgresql';
      span.attributes['db.query.text'] = text;
    }
    return run();
  });
