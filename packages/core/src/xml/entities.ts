const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Text with XML's own five entities as what they stand for, once. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => NAMED.get(name)!)
}

/** Text in which nothing can be taken for a tag or an entity. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
