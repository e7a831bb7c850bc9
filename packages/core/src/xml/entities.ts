const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Replaces XML's five predefined entities, once. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => NAMED.get(name)!)
}

/** Escapes text so that nothing in it can be taken for a tag or an entity. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
