/** Reads server-sent events off a response. */

export interface ServerEvent {
  event: string;
  data: string;
}

export async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent, void> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = /^event: ?(.*)$/m.exec(block)?.[1];
        const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
        // Without a name it is a comment that keeps the connection open.
        if (event) yield { event, data };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
