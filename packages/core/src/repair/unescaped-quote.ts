import type { Repair } from './repair.ts'

/** `"He said "hi" there"`: what follows the quote shows that it did not close the string. */
export const unescapedQuote: Repair = {
  name: 'unescaped-quote',
  cost: 4,
  *fits({ json }) {
    return json.afterString
  },
  *apply({ json }) {
    return json.reopen()
  },
}
