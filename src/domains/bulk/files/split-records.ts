/** Cuts a file into records while it is read: lines, and for CSV lines whose quotes are closed. Holds one record at a time. */

export interface RawRecord {
  /** Undefined: it is longer than a record may be. */
  bytes: Buffer | undefined;
  /** The number of its first line in the file. */
  firstLine: number;
  /** How many lines and bytes of the file are behind it. */
  lastLine: number;
  endPosition: number;
}

export const maxRecordBytes = 512 * 1024;

const [newLine, quote] = [0x0a, 0x22];

interface From {
  position: number;
  line: number;
}

export async function* splitRecords(
  stream: AsyncIterable<Buffer>,
  { isQuoted, from }: { isQuoted: boolean; from: From },
): AsyncGenerator<RawRecord> {
  let held: Buffer[] = [];
  let length = 0;
  let lines = from.line;
  let first = lines + 1;
  let end = from.position;
  let isOpen = false;
  const take = (piece: Buffer) => {
    length += piece.length;
    end += piece.length;
    // What is too long is counted, not held, and ends with its line: an open quote must not swallow the file.
    if (length > maxRecordBytes) {
      held = [];
      isOpen = false;
    } else held.push(piece);
  };
  const finish = (): RawRecord => {
    const record = {
      bytes: length > maxRecordBytes ? undefined : Buffer.concat(held),
      firstLine: first,
      lastLine: lines,
      endPosition: end,
    };
    [held, length, first] = [[], 0, lines + 1];
    return record;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (isQuoted && byte === quote) isOpen = !isOpen;
      if (byte !== newLine) continue;
      take(chunk.subarray(start, at + 1));
      start = at + 1;
      lines += 1;
      if (!isOpen) yield finish();
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
  if (length > 0) {
    lines += 1;
    yield finish();
  }
}
