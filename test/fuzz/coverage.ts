/** How often each operation was answered with data: a run whose requests are rejected early proves nothing about the code behind. */

/** Number of responses by `<operation> <outcome>`. */
export type Tally = ReadonlyMap<string, number>;

export interface OperationCoverage {
  operation: string;
  responses: number;
  /** Share of the responses with data and without errors, 0 to 1. */
  share: number;
}

const isSuccess = (outcome: string): boolean => outcome === '200' || outcome === 'fine';
/** Malformed documents and raw requests belong to no operation. */
const isOperation = (name: string): boolean => name !== 'broken' && name !== 'raw';

/** Operations by share, lowest first. */
export function coverageOf(tally: Tally): OperationCoverage[] {
  const counts = new Map<string, { responses: number; successes: number }>();
  for (const [key, count] of tally) {
    const [operation = '', outcome = ''] = key.split(' ');
    if (!isOperation(operation)) continue;
    const { responses, successes } = counts.get(operation) ?? { responses: 0, successes: 0 };
    counts.set(operation, {
      responses: responses + count,
      successes: successes + (isSuccess(outcome) ? count : 0),
    });
  }
  return [...counts]
    .map(([operation, { responses, successes }]) => ({ operation, responses, share: successes / responses }))
    .sort((a, b) => a.share - b.share || a.operation.localeCompare(b.operation));
}

export function formatCoverage(operations: readonly OperationCoverage[]): string {
  const responses = operations.reduce((sum, operation) => sum + operation.responses, 0);
  const successes = operations.reduce((sum, operation) => sum + operation.share * operation.responses, 0);
  const silent = operations.filter(({ share }) => share === 0);
  return [
    `with data: ${((100 * successes) / Math.max(1, responses)).toFixed(0)} % of ${responses} responses, ${operations.length - silent.length} of ${operations.length} operations`,
    ...(silent.length > 0
      ? [
          `never with data: ${silent.map(({ operation, responses: count }) => `${operation} (${count})`).join(', ')}`,
        ]
      : []),
  ].join('\n');
}
