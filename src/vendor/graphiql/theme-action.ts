/** Patch of GraphiQL's script: it reads the colour scheme only once, and exports no function that sets the theme later. */

/** Exposes the theme action as `self.graphiqlActions` and the theme as `self.graphiqlTheme`, so that the page can follow a later change. */
export const exposeGraphiqlThemeAction = (script: string): string =>
  script.replace(
    /(\w+\?\.editor\.setTheme\(\w+\),\w+\(\{theme:(\w+),monacoTheme:\w+\}\))/,
    '$1,this&&(self.graphiqlActions=this),self.graphiqlTheme=$2',
  );
