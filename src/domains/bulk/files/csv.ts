/** CSV as RFC 4180 has it, strictly; cells that a spreadsheet would run as formulas are told apart by an apostrophe. Pure. */

/** The cells of one record, or what is wrong with it. */
export function parseCsvRecord(text: string): string[] | { fault: string } {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (text[at] === '"') {
      const end = endOfQuoted(text, at);
      if (end === -1) return { fault: 'A quoted cell does not end.' };
      cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const comma = text.indexOf(',', at);
      const cell = text.slice(at, comma === -1 ? undefined : comma);
      if (cell.includes('"')) return { fault: 'A cell with quotes must itself be quoted, and they doubled.' };
      cells.push(cell);
      at += cell.length;
    }
    if (at >= text.length) return cells;
    if (text[at] !== ',') return { fault: 'After a quoted cell there must be a comma.' };
    at += 1;
  }
}

function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

export const formatCsvRecord = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const quoted = (cell: string) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Spreadsheets run what begins so. Those that begin so after apostrophes get one more, so that each can be taken off again. */
const formula = /^'*[=+\-@\t\r\n]/;
const guarded = /^'+[=+\-@\t\r\n]/;

export const escapeCsvFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);
export const unescapeCsvFormula = (text: string): string => (guarded.test(text) ? text.slice(1) : text);
