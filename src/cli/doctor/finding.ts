/** One thing the doctor looked at. */
export interface DoctorFinding {
  subject: string;
  level: 'fine' | 'note' | 'wrong';
  message: string;
}

export const okFinding = (what: string, says: string): DoctorFinding => ({
  subject: what,
  level: 'fine',
  message: says,
});
export const noteFinding = (what: string, says: string): DoctorFinding => ({
  subject: what,
  level: 'note',
  message: says,
});
export const errorFinding = (what: string, says: string): DoctorFinding => ({
  subject: what,
  level: 'wrong',
  message: says,
});

const marks = { fine: 'ok  ', note: 'note', wrong: 'BAD ' };

export const formatFinding = ({ subject: what, level, message: says }: DoctorFinding): string =>
  `${marks[level]}  ${what.padEnd(14)}${says}\n`;

export const hasErrorFinding = (findings: readonly DoctorFinding[]) =>
  findings.some(({ level }) => level === 'wrong');

export const doctorFailureMessage = 'Put right what is marked BAD.';

/** A check that must not take the others down with it. */
export async function runDoctorCheck(
  what: string,
  check: () => Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    return await check();
  } catch (error) {
    return [
      errorFinding(what, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
    ];
  }
}
