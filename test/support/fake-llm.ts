/** Language model with the chat completions API of OpenAI that buys the first variant of the first product which it finds. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  role: string;
  content?: string;
  tool_call_id?: string;
  tool_calls?: { id: string }[];
}

interface Completion {
  messages: Message[];
  tools: { type: string; function: { name: string; parameters: { type: string; required: string[] } } }[];
}

interface ToolResult {
  error?: string;
  message?: string;
  checkoutUrl?: string;
  products?: { productId: string; variants: { variantId: string }[] }[];
}

export interface FakeLlm {
  /** Value of LLM_BASE_URL. */
  url: string;
  /** Conversations with an error of the protocol, such as a result without a call. */
  readonly protocolErrors: readonly string[];
  stop(): void;
}

/** Next message of the model: one call per turn, and a text at the end. */
function nextMessage({ messages }: Completion): object {
  const results = messages.filter(({ role }) => role === 'tool');
  const last = JSON.parse(results.at(-1)?.content ?? '{}') as ToolResult;
  const call = (name: string, args: object) => ({
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: `call_${results.length}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      },
    ],
  });
  if (last.error !== undefined) return { role: 'assistant', content: `I stopped: ${last.message}` };
  if (results.length === 0) return call('search_products', { query: 'stoneware cup' });
  if (results.length === 1) {
    const [product] = last.products ?? [];
    const variantId = product?.variants[0]?.variantId;
    return call('add_to_cart', { productId: product?.productId, variantId, quantity: 2 });
  }
  if (results.length === 2) return call('checkout', {});
  return { role: 'assistant', content: `Your cups are ordered. Pay here: ${last.checkoutUrl}` };
}

function protocolError({ messages, tools }: Completion): string | undefined {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  const results = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
  if (calls.join() !== results.join()) return `Calls ${calls}, but results of ${results}.`;
  const names = tools.filter(({ type }) => type === 'function').map(({ function: { name } }) => name);
  return names.length === tools.length && names.length > 0 ? undefined : 'A tool is not a function.';
}

export async function startFakeLlm(): Promise<FakeLlm> {
  const protocolErrors: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Completion;
    const error = protocolError(body);
    if (error !== undefined) protocolErrors.push(error);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ object: 'chat.completion', choices: [{ index: 0, message: nextMessage(body) }] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, protocolErrors, stop: () => void server.close() };
}
