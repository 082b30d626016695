/** SQL lookup of entries by slug. */

/** SQL expression: value of the block `slug`. */
const slugValue = `jsonb_path_query_first(e.blocks, '$[*] ? (@.id == "slug").value')`;

/**
 * SQL condition and order for entries with the slug in parameter `param` in the locale in parameter `locale`. A slug without locales
 * applies to every locale; entries written in the requested locale come first. A null locale matches any.
 */
export const buildEntrySlugConditionAndOrderSql = (param: string, locale: string) => ({
  condition: `e.slugs ? ${param} and (${locale}::text is null or jsonb_typeof(${slugValue}) = 'string' or ${slugValue} ->> ${locale} = ${param})`,
  order: `(${slugValue} ->> ${locale}) is not distinct from ${param} desc, e.locale is not distinct from ${locale} desc, e.id desc`,
});
