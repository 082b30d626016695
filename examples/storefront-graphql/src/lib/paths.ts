/** Paths of the shop: it may be served below a path of its origin, such as /demo. */

/** Empty, or a path without a slash at the end. */
export const base = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '';

/** Path on the origin, of a path that begins with a slash. */
export const pathTo = (path: string) => `${base}${path}`;
