/** Findings of `duet doctor`: their levels, output format and error handling. */

export interface DoctorFinding {
  subject: string;
  level: 'ok' | 'note' | 'error';
  message: string;
}

export const okFinding = (subject: string, message: string): DoctorFinding => ({
  subject,
  level: 'ok',
  message,
});
export const noteFinding = (subject: string, message: string): DoctorFinding => ({
  subject,
  level: 'note',
  message,
});
export const errorFinding = (subject: string, message: string): DoctorFinding => ({
  subject,
  level: 'error',
  message,
});

const labels = { ok: 'ok  ', note: 'note', error: 'BAD ' };

export const formatFinding = ({ subject, level, message }: DoctorFinding): string =>
  `${labels[level]}  ${subject.padEnd(14)}${message}\n`;

export const hasErrorFinding = (findings: readonly DoctorFinding[]) =>
  findings.some(({ level }) => level === 'error');

export const doctorFailureMessage = 'Fix the findings marked BAD.';

/** Runs a check and turns an exception into a finding, so that the other checks still run. */
export async function runDoctorCheck(
  subject: string,
  check: () => Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    return await check();
  } catch (error) {
    return [
      errorFinding(subject, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
    ];
  }
}
