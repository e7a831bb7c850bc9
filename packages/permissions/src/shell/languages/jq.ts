/** Why a filter cannot be proved harmless: it may load other code, or tell of the environment; `.env` is only a key. */
export const jqDoubt = (filter: string): string | undefined =>
  /\b(?:env|ENV|import|include|input_filename|load\w*|strenv|eval|exec|system|input_line_number|get_search_list|modulemeta|envsubst)\b/.test(
    filter.replace(/(^|[\s|(,[{:a-z_\])"?])\.env\b/g, '$1'),
  )
    ? 'its filter may load other code, or tell of the environment'
    : undefined
