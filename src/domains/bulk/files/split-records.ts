/** Splits a byte stream into records: lines, or for CSV, line groups with balanced quotes. Buffers one record at a time. */

export interface RawImportRecord {
  /** Undefined when the record is longer than `maxImportRecordBytes`. */
  bytes: Buffer | undefined;
  /** Number of its first line in the file, counted from 1. */
  firstLine: number;
  /** Number of its last line; `endPosition` is the byte position after it. */
  lastLine: number;
  endPosition: number;
}

export const maxImportRecordBytes = 512 * 1024;

const [newLine, quote] = [0x0a, 0x22];

interface StartPoint {
  position: number;
  line: number;
}

export async function* splitRecords(
  stream: AsyncIterable<Buffer>,
  { isQuoted, from }: { isQuoted: boolean; from: StartPoint },
): AsyncGenerator<RawImportRecord> {
  let chunks: Buffer[] = [];
  let length = 0;
  let lineCount = from.line;
  let firstLine = lineCount + 1;
  let endPosition = from.position;
  let isQuoteOpen = false;
  const append = (bytes: Buffer) => {
    length += bytes.length;
    endPosition += bytes.length;
    // An overlong record is counted but not buffered, and ends at the next line break: an unclosed quote must not consume the rest of the file.
    if (length > maxImportRecordBytes) {
      chunks = [];
      isQuoteOpen = false;
    } else chunks.push(bytes);
  };
  const finish = (): RawImportRecord => {
    const record = {
      bytes: length > maxImportRecordBytes ? undefined : Buffer.concat(chunks),
      firstLine,
      lastLine: lineCount,
      endPosition,
    };
    [chunks, length, firstLine] = [[], 0, lineCount + 1];
    return record;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (isQuoted && byte === quote) isQuoteOpen = !isQuoteOpen;
      if (byte !== newLine) continue;
      append(chunk.subarray(start, index + 1));
      start = index + 1;
      lineCount += 1;
      if (!isQuoteOpen) yield finish();
    }
    if (start < chunk.length) append(chunk.subarray(start));
  }
  if (length > 0) {
    lineCount += 1;
    yield finish();
  }
}
