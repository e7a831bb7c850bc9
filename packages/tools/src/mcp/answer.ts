import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Outcome } from '@toolglot/agent'
import type { Image } from '../file/read-result.ts'

/** What became of a call, as MCP says it. */
export function answerOf(outcome: Outcome): CallToolResult {
  if (outcome.status === 'error') {
    const { failure } = outcome
    return {
      isError: true,
      content: [{ type: 'text', text: `${failure.error_type}: ${failure.message}` }],
      structuredContent: { ...failure },
    }
  }
  const { result, text } = outcome
  if (!isObject(result)) return { content: [{ type: 'text', text }] }
  const { image } = result as { image?: Image }
  if (!image) return { content: [{ type: 'text', text }], structuredContent: result }
  const { data, ...facts } = image
  return {
    content: [
      { type: 'text', text },
      { type: 'image', data, mimeType: image.media_type },
    ],
    // Once is enough.
    structuredContent: { ...result, image: facts },
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
