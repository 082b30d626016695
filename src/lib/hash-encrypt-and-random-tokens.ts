/** Hashes, random tokens and authenticated encryption of stored secrets. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** SHA-256 as hex, for values with enough entropy of their own, such as token ids and API keys. */
export const sha256Hex = (value: string): string => createHash('sha256').update(value).digest('hex');

/** HMAC-SHA-256 as hex, for values that could be guessed from a plain hash, such as short codes. */
export const hmacSha256Hex = (secret: Uint8Array, ...parts: string[]): string =>
  createHmac('sha256', secret).update(parts.join('\n')).digest('hex');

/** Random token of 256 bits, URL-safe. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Random token of 256 bits as hex, for links in mails: mail programs cut a dash or an underscore off the end of a link. */
export const randomLinkToken = (): string => randomBytes(32).toString('hex');

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM: IV, tag and ciphertext in base64url. */
export function encryptWithSecret(secret: Uint8Array, text: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', sealKey(secret), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts the result of `encryptWithSecret`; undefined if it was encrypted with another secret or is damaged. */
export function decryptWithSecret(secret: Uint8Array, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', sealKey(secret), bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

const sealKey = (secret: Uint8Array) => Buffer.from(hkdfSync('sha256', secret, '', 'duet seal', 32));
