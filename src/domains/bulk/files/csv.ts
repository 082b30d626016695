/** Strict RFC 4180 CSV. Cells that a spreadsheet would evaluate as formulas are prefixed with an apostrophe. Pure. */

/** Cells of one record, or a syntax error. */
export function parseCsvRecord(text: string): string[] | { error: string } {
  const cells: string[] = [];
  let position = 0;
  for (;;) {
    if (text[position] === '"') {
      const end = closingQuote(text, position);
      if (end === -1) return { error: 'A quoted cell has no closing quote.' };
      cells.push(text.slice(position + 1, end).replaceAll('""', '"'));
      position = end + 1;
    } else {
      const comma = text.indexOf(',', position);
      const cell = text.slice(position, comma === -1 ? undefined : comma);
      if (cell.includes('"'))
        return { error: 'A cell that contains quotes must be quoted, with its quotes doubled.' };
      cells.push(cell);
      position += cell.length;
    }
    if (position >= text.length) return cells;
    if (text[position] !== ',') return { error: 'A quoted cell must be followed by a comma.' };
    position += 1;
  }
}

function closingQuote(text: string, start: number): number {
  for (
    let position = text.indexOf('"', start + 1);
    position !== -1;
    position = text.indexOf('"', position + 2)
  )
    if (text[position + 1] !== '"') return position;
  return -1;
}

export const formatCsvRecord = (cells: readonly string[]): string => `${cells.map(quoteCell).join(',')}\r\n`;

const quoteCell = (cell: string) =>
  /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/**
 * Start of a text that a spreadsheet evaluates, in ASCII or full width, also after apostrophes: it gets one more apostrophe, so that
 * unescaping restores every text. A semicolon or tab counts as the start of a cell, because spreadsheets of many locales split there.
 */
const formula = /(?<=^|[;\t])(?='*[=+\-@＝＋－＠\t\r\n])/g;
const escapedFormula = /(?<=^|[;\t])'(?='*[=+\-@＝＋－＠\t\r\n])/g;

export const escapeCsvFormula = (text: string): string => text.replace(formula, "'");
export const unescapeCsvFormula = (text: string): string => text.replace(escapedFormula, '');
