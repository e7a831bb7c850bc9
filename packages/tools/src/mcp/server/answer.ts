import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ExecuteResult } from '@toolglot/agent'
import { takeImage } from '../../file/take-image.ts'

/** What became of a call, as MCP says it. */
export function answerOf(outcome: ExecuteResult): CallToolResult {
  if (outcome.status === 'error') {
    const { failure } = outcome
    return {
      isError: true,
      content: [{ type: 'text', text: `${failure.error_type}: ${failure.message}` }],
      structuredContent: { ...failure },
    }
  }
  const text = { type: 'text' as const, text: outcome.text }
  const taken = takeImage(outcome.result)
  if (!taken) return { content: [text] }
  const { data: structuredContent, image } = taken
  if (!image) return { content: [text], structuredContent }
  const { data, media_type: mimeType } = image
  return { content: [text, { type: 'image', data, mimeType }], structuredContent }
}
