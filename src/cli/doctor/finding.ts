/** One thing the doctor looked at. */
export interface Finding {
  what: string;
  level: 'fine' | 'note' | 'wrong';
  says: string;
}

export const fine = (what: string, says: string): Finding => ({ what, level: 'fine', says });
export const note = (what: string, says: string): Finding => ({ what, level: 'note', says });
export const wrong = (what: string, says: string): Finding => ({ what, level: 'wrong', says });

const marks = { fine: 'ok  ', note: 'note', wrong: 'BAD ' };

export const showFinding = ({ what, level, says }: Finding): string =>
  `${marks[level]}  ${what.padEnd(14)}${says}\n`;

export const isUnwell = (findings: readonly Finding[]) => findings.some(({ level }) => level === 'wrong');

export const advice = 'Put right what is marked BAD.';

/** A check that must not take the others down with it. */
export async function safely(what: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [wrong(what, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))];
  }
}
