import type { Progress as Update } from '@modelcontextprotocol/client'
import type { ToolContext } from '@toolglot/agent'
import { cleanText } from './clean-text.ts'

/** In milliseconds. */
const OFTEN = 50
const LONGEST = 500

/** What a server says of how far it is, as a tool says it: not too often, not too much. */
export function notesOf(progress: ToolContext['progress']): (update: Update) => void {
  let last = -OFTEN
  return ({ progress: done, total, message }) => {
    const now = performance.now()
    if (now - last < OFTEN) return
    last = now
    const far = total === undefined ? `${done}` : `${done} of ${total}`
    progress({ type: 'note', text: cleanText(message ?? far, LONGEST) })
  }
}
