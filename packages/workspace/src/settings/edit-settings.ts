import { applyEdits, modify } from 'jsonc-parser'
import { looksLikeKey } from '@toolglot/agent/internal'
import { readSettings, type ReadOptions } from './read-settings.ts'

/** A key at the top, or one inside another: `model`, `permissions.mode`. */
export type SettingsPath = string

/**
 * The text of settings with one value set, or taken out where it is undefined. Comments and the rest stay as they are.
 * Throws a TypeError where the text cannot be read, or the value would not be understood, or looks like a key: those
 * belong in the environment.
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
    throw new TypeError(`${options.file}${line}: ${problem.reason}. Mend that first.`)
  }
  if (value !== undefined && looksLikeKey(JSON.stringify(value))) {
    throw new TypeError(
      `what is to be written looks like a key, and settings hold none: put it into your environment, such as export OPENAI_API_KEY=…`,
    )
  }
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }
  // What is new comes first: behind the last, it would come between that and its comment.
  const getInsertionIndex = (): number => 0
  const edits = modify(before, path.split('.'), value, { formattingOptions, getInsertionIndex })
  const after = applyEdits(before, edits)
  const now = readSettings(after, options)
  const known = new Set([...said.problems, ...said.warnings].map(({ reason }) => reason))
  const fresh = [...now.problems, ...now.warnings].find(({ reason }) => !known.has(reason))
  if (fresh) throw new TypeError(fresh.reason)
  return after
}
