import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client'
import { ToolError } from '@toolglot/agent'
import { cleanText } from './clean-text.ts'

/** Converts the failure of a call to a `ToolError` with advice for the model. */
export function failureOf(error: unknown, server: string, lastOutput: string): ToolError {
  const message = cleanText(messageOf(error), 2000)
  const words = lastOutput === '' ? '' : ` Before that it wrote: ${lastOutput}`
  if (error instanceof ProtocolError)
    return new ToolError(
      error.code === ProtocolErrorCode.InvalidParams ? 'invalid_input' : 'execution_failed',
      `The server ${server} rejected the call: ${message}`,
      { code: 'refused_by_server' },
    )
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new ToolError(
      'timeout',
      `The server ${server} did not answer in time. The call may have had an effect: check before you try again.`,
      { code: 'no_answer' },
    )
  if (error instanceof SdkError && INVALID_ANSWERS.has(error.code))
    return new ToolError(
      'execution_failed',
      `The server ${server} returned an invalid result: ${message} The call may have had an effect.`,
      { code: 'invalid_answer' },
    )
  return new ToolError(
    'execution_failed',
    `The connection to the server ${server} was lost during the call (${message}). The call may have had an effect: check before you try again. The next call restarts it.${words}`,
    { code: 'server_lost' },
  )
}

const INVALID_ANSWERS: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.InputRequiredRoundsExceeded,
])

/** The message of an error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
  // The stack was too small for parsing the message.
  if (error instanceof RangeError) return 'It sent a message that is nested too deeply'
  return error instanceof Error ? error.message : String(error)
}
