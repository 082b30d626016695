/** Parses HTTP headers in an environment variable, in the notation of OpenTelemetry: `name=value,other=value`, percent-encoded. */

/** Undefined for a malformed list, and for values that HTTP does not allow. */
export function parseHeadersVariable(text: string): Record<string, string> | undefined {
  if (!/^[\w-]+=[^,]*(,[\w-]+=[^,]*)*$/.test(text)) return undefined;
  try {
    const pairs = text.split(',').map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(decodeURIComponent(pair)) ?? [];
      return [name, value] as const;
    });
    const isValid = pairs.every(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value));
    return isValid ? Object.fromEntries(pairs) : undefined;
  } catch {
    // decodeURIComponent rejects a percent sign without two hexadecimal digits.
    return undefined;
  }
}
