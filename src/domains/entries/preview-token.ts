/** Tokens of previews: each names one entry of one business and the second it ends, and is signed. Nothing of it is stored. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const idBytes = 16;
const timeBytes = 6;
const macBytes = 16;

export interface Preview {
  entryId: string;
  expiresAt: number;
}

export function previewToken(secret: Uint8Array, businessId: string, preview: Preview): string {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(preview.expiresAt, 0, timeBytes);
  const id = Buffer.from(preview.entryId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, time, mac(secret, businessId, preview)]).toString('base64url');
}

/** Undefined when it is not genuine, has ended by `time`, or is one of another business. */
export function readPreviewToken(
  secret: Uint8Array,
  businessId: string,
  token: string,
  time: number,
): Preview | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== idBytes + timeBytes + macBytes) return undefined;
  const hex = bytes.subarray(0, idBytes).toString('hex');
  const preview = {
    entryId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    expiresAt: bytes.readUIntBE(idBytes, timeBytes),
  };
  const isGenuine = timingSafeEqual(bytes.subarray(idBytes + timeBytes), mac(secret, businessId, preview));
  return isGenuine && preview.expiresAt > time ? preview : undefined;
}

const mac = (secret: Uint8Array, businessId: string, { entryId, expiresAt }: Preview) =>
  createHmac('sha256', secret)
    .update(`entry-preview\n${businessId.toLowerCase()}\n${entryId.toLowerCase()}\n${expiresAt}`)
    .digest()
    .subarray(0, macBytes);
