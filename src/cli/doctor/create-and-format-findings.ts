/** Findings of `duet doctor`: their levels, output format and error handling. */
import { colourText, type TextColour } from '../terminal-output.ts';

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

const labels: Record<DoctorFinding['level'], [label: string, colour: TextColour]> = {
  ok: ['ok  ', 'green'],
  note: ['note', 'yellow'],
  error: ['BAD ', 'red'],
};

export const formatFinding = ({ subject, level, message }: DoctorFinding, colours: boolean): string => {
  const [label, colour] = labels[level];
  return `${colourText(colours, colour, label)}  ${subject.padEnd(14)}${message}\n`;
};

/** Options of both parts of the command. */
export const doctorOptions = { json: { type: 'boolean', default: false } } as const;

/** Text or JSON with the same content. */
export const formatFindings = (
  findings: readonly DoctorFinding[],
  json: boolean,
  colours: boolean,
): string =>
  json
    ? `${JSON.stringify({ findings })}\n`
    : findings.map((finding) => formatFinding(finding, colours)).join('');

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
