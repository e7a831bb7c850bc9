import { neutralize, type ResultOptions } from '@toolglot/core'

/**
 * Prints a file between tags that its text cannot close, with every protocol's marks neutralized. Arguments that copy
 * from it are restored like those that copy from results.
 *
 *     <file path="a.md">
 *     …
 *     </file>
 */
export function printFileBlock(
  path: string,
  text: string,
  options: Pick<ResultOptions, 'protocols'> = {},
): string {
  const tag = tagFor(text)
  const name = path.replace(/["<>\n\r]/g, encodeURIComponent)
  return `<${tag} path="${neutralize(name, options)}">\n${neutralize(text, options)}\n</${tag}>`
}

/** `file`, or with a number if the text itself contains that tag. */
function tagFor(text: string): string {
  let highest = -1
  for (const [, number = '0'] of text.matchAll(/<\/?file(?:-(\d{1,9}))?/gi)) {
    highest = Math.max(highest, Number(number))
  }
  return highest < 0 ? 'file' : `file-${highest + 1}`
}
