/** WAL positions (LSN) and their notation. */

/** Parses an LSN in PostgreSQL's notation, such as `16/B374D848`; undefined if malformed. */
export function parseLsn(text: string | null | undefined): bigint | undefined {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text ?? '') ?? [];
  return high === undefined || low === undefined
    ? undefined
    : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Position and timeline of a server. A restored or promoted server begins a new timeline. */
export interface WalPosition {
  position: bigint;
  timeline: number;
}
