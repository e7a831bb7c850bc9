import type { ToolOutcome } from '@toolglot/agent'

/** How a result can be shown. */
export type ResultForm = 'text' | 'markdown' | 'json' | 'raw'

/** Escape sequences of terminals: colours, the position of the cursor, titles, links. */
// oxlint-disable-next-line no-control-regex
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** A longer text is only read as JSON if somebody wants to see it. */
const MAX_TRIED = 200_000

/** A text without what only a terminal understands. */
export function withoutTerminal(text: string): string {
  return text.replace(TERMINAL, '')
}

/** Whether a result can be shown as JSON, as far as that can be found out quickly. */
export function mayBeJson({ text, data }: Pick<ToolOutcome, 'text' | 'data'>): boolean {
  if (data !== undefined) return true
  return /^\s*[[{]/.test(text) && (text.length > MAX_TRIED || readJson(text) !== undefined)
}

/** A result as JSON. Undefined if it is none. */
export function jsonText({
  text,
  data = readJson(text),
}: Pick<ToolOutcome, 'text' | 'data'>): string | undefined {
  return data === undefined ? undefined : JSON.stringify(data, null, 2)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // It only begins like JSON.
    return undefined
  }
}
