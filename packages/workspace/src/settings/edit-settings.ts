import { applyEdits, modify } from 'jsonc-parser'
import { looksLikeKey } from '@toolglot/agent/internal'
import { readSettings, type ReadOptions } from './read-settings.ts'

/** A top-level key, or one inside another: `model`, `permissions.mode`. */
export type SettingsPath = string

/**
 * The text of settings with one value set, or removed if it is undefined. Comments and everything else stay. Throws a
 * TypeError if the text is invalid, or the value is, or it looks like a secret: those belong in the environment.
 */
export function editSettings(
  text: string,
  path: SettingsPath,
  value: unknown,
  options: ReadOptions,
): string {
  const before = text.trim() === '' ? '{}\n' : text
  const said = readSettings(before, options)
  const [problem] = said.problems
  if (problem) {
    const line = problem.line === undefined ? '' : `:${problem.line}`
    throw new TypeError(`${options.file}${line}: ${problem.reason}. Fix that first.`)
  }
  if (value !== undefined && looksLikeKey(JSON.stringify(value))) {
    throw new TypeError(
      `the value looks like a secret, and settings hold none: put it into your environment, for example export OPENAI_API_KEY=…`,
    )
  }
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }
  // Insert at the top: after the last entry, it would separate that from its comment.
  const getInsertionIndex = (): number => 0
  const edits = modify(before, path.split('.'), value, { formattingOptions, getInsertionIndex })
  const after = applyEdits(before, edits)
  const now = readSettings(after, options)
  const known = new Set([...said.problems, ...said.warnings].map(({ reason }) => reason))
  const fresh = [...now.problems, ...now.warnings].find(({ reason }) => !known.has(reason))
  if (fresh) throw new TypeError(fresh.reason)
  return after
}
