/** Expression that runs an operation and converts its data to the REST body. */
import type { MigrationRoute } from './route-table.ts';

export type RestHelper = 'toRestPage' | 'toRestRecord';

export interface ResultConversion {
  helper: RestHelper;
  /** Function from the data to the connection or record. */
  select: string;
}

/** `updateProduct.product` is the product of that payload. */
const rootOf = (path: string) => /^\w+/.exec(path)?.[0] ?? path;

export function resultConversion({ response }: MigrationRoute): ResultConversion {
  if ('success' in response) return { helper: 'toRestRecord', select: '() => ({ success: true })' };
  if ('list' in response) {
    return { helper: 'toRestPage', select: `({ ${rootOf(response.list)} }) => ${response.list}` };
  }
  if ('value' in response) {
    const { value, as } = response;
    return { helper: 'toRestRecord', select: `({ ${rootOf(value)} }) => ${printField(as, value)}` };
  }
  const fallback = Object.entries(response.fallback ?? {}).map(([name, at]) => `${name}: ${at}`);
  return {
    helper: 'toRestRecord',
    select: `({ ${rootOf(response.at)} }) => ${response.at}${fallback.length > 0 ? ` ?? { ${fallback.join(', ')} }` : ''}`,
  };
}

/** Object with one field; without the value, REST responds 404. */
const printField = (name: string, value: string) =>
  `${value} === null || ${value} === undefined ? null : { ${name === value ? name : `${name}: ${value}`} }`;

export interface RunCode {
  client: string;
  route: MigrationRoute;
  variables: string;
  /** Text of the options of `run`, or undefined. */
  options?: string | undefined;
}

/** `client.run(ListProductsDocument, {…}).then(toRestPage(({ products }) => products))`. */
export function printRun({ client, route, variables, options }: RunCode): string {
  const { helper, select } = resultConversion(route);
  const args = [`${route.operation}Document`, variables, ...(options === undefined ? [] : [options])];
  return `${client}.run(${args.join(', ')}).then(${helper}(${select}))`;
}
