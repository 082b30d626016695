/** How entries are found by their slug. */

/** SQL: the value of the block `slug`. */
const slug = `jsonb_path_query_first(e.blocks, '$[*] ? (@.id == "slug").value')`;

/**
 * SQL: entries with the slug in `param` in the locale in `locale`. A plain text is the slug in every locale; an entry
 * written in that locale comes first. Without a locale any will do.
 */
export const entrySlugLookup = (param: string, locale: string) => ({
  condition: `e.slugs ? ${param} and (${locale}::text is null or jsonb_typeof(${slug}) = 'string' or ${slug} ->> ${locale} = ${param})`,
  order: `(${slug} ->> ${locale}) is not distinct from ${param} desc, e.locale is not distinct from ${locale} desc, e.id desc`,
});
