/**
 * A copy with no more memory than it needs. Small buffers are parts of a larger one, which stays as long as any of its parts: what is kept
 * for long must not hold the room of what others have left.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  own.set(bytes);
  return own;
}
