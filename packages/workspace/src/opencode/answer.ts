import type { ExecuteResult } from '@toolglot/agent'
import { takeImage } from '@toolglot/tools/internal'
import type { ToolResult } from './api.ts'

/** What became of a call, as OpenCode says it: a failure is thrown, with the failure as its cause. */
export function answerOf(outcome: ExecuteResult): ToolResult {
  if (outcome.status === 'error') {
    const { failure } = outcome
    throw new Error(`${failure.error_type}: ${failure.message}`, { cause: failure })
  }
  const { data: metadata = {}, image } = takeImage(outcome.result) ?? {}
  const answer = { output: outcome.text, metadata }
  if (!image) return answer
  const url = `data:${image.media_type};base64,${image.data}`
  return { ...answer, attachments: [{ type: 'file', mime: image.media_type, url }] }
}
