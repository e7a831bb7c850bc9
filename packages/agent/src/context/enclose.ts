import { neutralise, type ResultOptions } from '@toolglot/core'

/**
 * A file's text between tags that it cannot close, with every protocol's marks made inert. Arguments that copy from it are
 * restored as those that copy from results are.
 *
 *     <file path="a.md">
 *     …
 *     </file>
 */
export function enclose(
  path: string,
  text: string,
  options: Pick<ResultOptions, 'protocols'> = {},
): string {
  const tag = tagFor(text)
  const name = path.replace(/["<>\n\r]/g, encodeURIComponent)
  return `<${tag} path="${neutralise(name, options)}">\n${neutralise(text, options)}\n</${tag}>`
}

/** `file`; or with a number, where the text has that tag itself. */
function tagFor(text: string): string {
  let highest = -1
  for (const [, number = '0'] of text.matchAll(/<\/?file(?:-(\d{1,9}))?/gi)) {
    highest = Math.max(highest, Number(number))
  }
  return highest < 0 ? 'file' : `file-${highest + 1}`
}
