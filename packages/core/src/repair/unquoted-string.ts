import type { Repair } from './repair.ts'

/** `{path: src/index.ts}`: a word that begins with a letter or a few signs, up to the next comma or bracket. */
export const unquotedString: Repair = {
  name: 'unquoted-string',
  cost: 4,
  *fits({ json, input }) {
    const end = input.code()
    return json.wantsValue && BEGINS.test(json.word) && (end === 44 || end === 125 || end === 93)
  },
  *apply({ json }) {
    json.value(JSON.stringify(json.word))
  },
}

/** Not an invalid number: `01`, `4.2.3` and `NaN` stay errors. */
const BEGINS = /^(?!NaN$|Infinity$|undefined$)[\p{L}_$.~@#]/u
