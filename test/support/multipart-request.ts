/**
 * Multipart request with a buffered body. With a streamed FormData, Node 24 keeps writing after the gateway has rejected the upload,
 * and crashes.
 */
export async function createMultipartRequest(url: string, form: FormData): Promise<Request> {
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return new Request(url, { method: 'POST', headers, body: await encoded.arrayBuffer() });
}
