import { nearest } from '@toolglot/permissions/internal'
import type { AnyTool } from '../tool/any-tool.ts'
import { describeValue } from '../tool/describe-value.ts'

/** Tools, and names of tools that there are elsewhere, as tools. A name that is none throws: nothing is left out quietly. */
export function chooseTools(
  wanted: readonly (string | AnyTool)[],
  there: ReadonlyMap<string, AnyTool>,
): readonly AnyTool[] {
  return wanted.map((each) => {
    if (typeof each !== 'string') return each
    const found = there.get(each)
    if (found) return found
    const names = [...there.keys()]
    const [close] = nearest(each, names)
    const advice = close === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${close}?`
    throw new TypeError(`There is no tool ${describeValue(each)}. ${advice}`)
  })
}
