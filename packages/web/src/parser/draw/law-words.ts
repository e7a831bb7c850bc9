import type { Key } from '../../words/words.ts'

/** What core calls its laws, and the page's words for them. A law that is not here is shown as core calls it. */
export const LAW_WORDS: ReadonlyMap<string, Key> = new Map([
  ['its examples are read as stated', 'draw.law.examples'],
  ['they are read the same way among all other protocols', 'draw.law.among'],
  ['any chunking gives the same reply', 'draw.law.chunks'],
  ['nothing is lost', 'draw.law.lost'],
  ['a cut invents nothing', 'draw.law.cut'],
  ['what is printed is read back', 'draw.law.printed'],
  ['an example is what printing writes, or a variant', 'draw.law.variant'],
  ['its prompt names the tools', 'draw.law.prompt'],
  ['four times the text takes four times the work', 'draw.law.linear'],
  ['a result contains no call, ends once, and can be restored', 'draw.law.inert'],
  ['a value may contain its marks', 'draw.law.marks'],
])
