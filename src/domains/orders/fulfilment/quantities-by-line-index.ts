/** Quantities of order lines, referenced by line index as in requests. Pure. */
import type { ErrorDetail } from '../../../errors.ts';

export interface QuantityAtLineIndex {
  /** Index of the line in the order, from 0. */
  line: number;
  quantity: number;
}

export const sumUnitsOfLine = (units: readonly QuantityAtLineIndex[], index: number): number =>
  units.reduce((sum, { line, quantity }) => (line === index ? sum + quantity : sum), 0);

/** Validation errors of requested units. `open`: available units per order line; `verb`: completes the message; `fieldPath`: path of the list in the request. */
export const findLineUnitErrors = (
  units: readonly QuantityAtLineIndex[],
  open: readonly number[],
  verb: 'refunded' | 'shipped' | 'returned',
  fieldPath = 'lines',
): ErrorDetail[] =>
  units.flatMap(({ line, quantity }, index): ErrorDetail[] => {
    const available = open[line];
    if (available === undefined || units.findIndex((other) => other.line === line) !== index)
      return [
        {
          field: `${fieldPath}.${index}.line`,
          error: 'LINE_NOT_FOUND',
          message: 'Must be the index of a line of the order, each at most once.',
        },
      ];
    if (quantity <= available) return [];
    return [
      {
        field: `${fieldPath}.${index}.quantity`,
        error: 'TOO_BIG',
        message: `Only ${available} of this line can be ${verb}.`,
      },
    ];
  });
