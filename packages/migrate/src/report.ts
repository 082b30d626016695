/** Report of a migration: rewritten calls, and calls that were left with the reason. */

export interface Finding {
  file: string;
  line: number;
  /** REST call as in the source code, shortened. */
  call: string;
  /** GraphQL operation; undefined if the call was left. */
  operation?: string | undefined;
  /** Why the call was left. */
  reason?: string | undefined;
  /** What to check by hand. */
  note?: string | undefined;
}

export interface CompileError {
  file: string;
  line: number;
  message: string;
}

export interface MigrationReport {
  findings: Finding[];
  /** Type errors in the rewritten files that were not there before. */
  typeErrors: CompileError[];
}

const sentence = ({ file, line, call, operation, reason, note }: Finding) =>
  `- \`${file}:${line}\` \`${call}\`${operation ? ` → \`${operation}\`` : ''}${reason ? `: ${reason}` : ''}${note ? `. ${note}` : ''}`;

export function printReport({ findings, typeErrors }: MigrationReport): string {
  const left = findings.filter(({ reason }) => reason !== undefined);
  const rewritten = findings.filter(({ reason }) => reason === undefined);
  const lines = [
    '# From REST to GraphQL',
    '',
    `${rewritten.length} calls rewritten, ${left.length} left, ${typeErrors.length} type errors.`,
    ...(left.length > 0 ? ['', '## Left', '', ...left.map(sentence)] : []),
    ...(typeErrors.length > 0
      ? [
          '',
          '## Type errors after the rewrite',
          '',
          ...typeErrors.map(({ file, line, message }) => `- \`${file}:${line}\` ${message}`),
        ]
      : []),
    ...(rewritten.length > 0 ? ['', '## Rewritten', '', ...rewritten.map(sentence)] : []),
    '',
  ];
  return lines.join('\n');
}
