/** A form as a browser sends it, whole: from a form itself, Node 24 goes on writing when the gateway has heard enough, and falls. */
export async function createMultipartRequest(url: string, form: FormData): Promise<Request> {
  const written = new Response(form);
  const headers = { 'content-type': written.headers.get('content-type') ?? '' };
  return new Request(url, { method: 'POST', headers, body: await written.arrayBuffer() });
}
