/** Units of the lines of an order, as callers name them: by the position of their line. Pure. */
import type { ErrorDetail } from '../../../errors.ts';

export interface LineUnits {
  /** Position of the line in the order, from 0. */
  line: number;
  quantity: number;
}

export const unitsOfLine = (units: readonly LineUnits[], index: number): number =>
  units.reduce((sum, { line, quantity }) => (line === index ? sum + quantity : sum), 0);

/** `open` says for every line of the order how many units of it may be named; `verb` what cannot be done with more. */
export const lineUnitErrors = (
  units: readonly LineUnits[],
  open: readonly number[],
  verb: 'refunded' | 'shipped' | 'returned',
  named = 'lines',
): ErrorDetail[] =>
  units.flatMap(({ line, quantity }, index): ErrorDetail[] => {
    const left = open[line];
    if (left === undefined || units.findIndex((other) => other.line === line) !== index)
      return [
        {
          field: `${named}.${index}.line`,
          error: 'LINE_NOT_FOUND',
          message: 'Name each line of the order once.',
        },
      ];
    if (quantity <= left) return [];
    return [
      {
        field: `${named}.${index}.quantity`,
        error: 'TOO_BIG',
        message: `Only ${left} of this line can be ${verb}.`,
      },
    ];
  });
