import { nearest } from '@toolglot/permissions/internal'
import type { AnyTool } from '../tool/any-tool.ts'
import { describeValue } from '../tool/describe-value.ts'

/** Resolves names among `available` to tools. An unknown name throws, so that no tool is missing silently. */
export function chooseTools(
  wanted: readonly (string | AnyTool)[],
  available: ReadonlyMap<string, AnyTool>,
): readonly AnyTool[] {
  return wanted.map((each) => {
    if (typeof each !== 'string') return each
    const found = available.get(each)
    if (found) return found
    const names = [...available.keys()]
    const [close] = nearest(each, names)
    const advice =
      close === undefined ? `Available tools: ${names.join(', ')}.` : `Did you mean ${close}?`
    throw new TypeError(`There is no tool ${describeValue(each)}. ${advice}`)
  })
}
