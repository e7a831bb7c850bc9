import { describe } from '../item.ts'
import type { SettingsKey } from './key.ts'

/** Files with the user's own tools: code that runs when it is loaded. */
export const tools: SettingsKey<readonly string[]> = {
  key: 'tools',
  namesCode: true,
  read(item, wrong) {
    const paths = item.kind === 'list' ? item.items : []
    const texts = paths.map((path) => (path.kind === 'plain' ? path.value : undefined))
    const isPath = (path: unknown): path is string => typeof path === 'string' && path.trim() !== ''
    if (item.kind === 'list' && texts.every(isPath)) return texts
    const got = paths.find((_, at) => !isPath(texts[at])) ?? item
    wrong(got.line, `expected paths in "tools", such as ["./my-tool.mjs"], got ${describe(got)}`)
    return undefined
  },
}
