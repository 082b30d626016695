/** Patches of GraphiQL's script: a change of the theme after the start, and the history of requests. */

/**
 * Exposes the theme action as `self.graphiqlActions` and the theme as `self.graphiqlTheme`, so that the page can follow a later
 * change: GraphiQL reads the colour scheme only once. Adds the history plugin, which the package of Yoga contains but leaves out.
 */
export function patchGraphiqlScript(script: string): string {
  const history = /\b(\w+)=\{title:"History",icon:/.exec(script)?.[1];
  return script
    .replace(
      /(\w+\?\.editor\.setTheme\(\w+\),\w+\(\{theme:(\w+),monacoTheme:\w+\}\))/,
      '$1,this&&(self.graphiqlActions=this),self.graphiqlTheme=$2',
    )
    .replace(/plugins:\[(\w+)\],schemaDescription:/, (plugins, explorer: string) =>
      history === undefined ? plugins : `plugins:[${history},${explorer}],schemaDescription:`,
    );
}
