import type { Finish, Protocol, ToolDefinition } from '@toolglot/core'
import { chooseProtocols, type KnownProtocols, UserError } from '@toolglot/workspace'
import { readTools } from '../input/tools.ts'
import { describe } from '../show/text/json.ts'

/** A validated line of `parse --batch`. */
export interface Request {
  readonly id: unknown
  /** The protocol in the request. */
  readonly requestedProtocol: string | readonly string[]
  /** The reply, in the chunks for the parser. */
  readonly chunks: Iterable<string>
  readonly finish?: Finish
  readonly options: {
    readonly protocols?: readonly Protocol[]
    readonly auto?: true
    readonly tools?: readonly ToolDefinition[]
    readonly prefix?: string
    readonly startsInReasoning?: boolean
    readonly repairs?: boolean
  }
}

/** The possible ends of a reply. */
export const finishes: readonly Finish[] = ['stop', 'stop-string', 'length', 'broken']

/** Validates a request; throws a CommandError if it is invalid. */
export function readRequest(value: Record<string, unknown>, known?: KnownProtocols): Request {
  const requestedProtocol = value['protocol'] ?? 'auto'
  if (!isText(requestedProtocol) && !isTexts(requestedProtocol)) {
    throw requestError('protocol', 'an id, "auto" or a list of ids', requestedProtocol)
  }
  const { tools } = value
  const prefix = optional(value, 'prefix', isText, 'a string')
  const startsInReasoning = optional(value, 'startsInReasoning', isBoolean, 'true or false')
  const repairs = optional(value, 'repairs', isBoolean, 'true or false')
  const finish = optional(value, 'finish', isFinish, `one of ${finishes.join(', ')}`)

  return {
    id: value['id'] ?? null,
    requestedProtocol,
    chunks: chunksOf(value),
    finish,
    options: {
      ...chooseProtocols(
        isText(requestedProtocol) ? [requestedProtocol] : requestedProtocol,
        known,
      ),
      ...(tools !== undefined && tools !== null && { tools: readTools(tools, '"tools"') }),
      ...(prefix !== undefined && { prefix }),
      ...(startsInReasoning !== undefined && { startsInReasoning }),
      ...(repairs !== undefined && { repairs }),
    },
  }
}

function chunksOf({ text, chunks }: Record<string, unknown>): Iterable<string> {
  if (isTexts(chunks)) return chunks
  if (chunks !== undefined && chunks !== null && chunks !== 'every-char') {
    throw requestError('chunks', 'a list of strings, or "every-char" together with "text"', chunks)
  }
  if (!isText(text)) throw requestError('text', 'a string (or use "chunks")', text)
  return chunks === 'every-char' ? unitsOf(text) : [text]
}

function* unitsOf(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at++) yield text.charAt(at)
}

function optional<Value>(
  request: Record<string, unknown>,
  key: string,
  is: (value: unknown) => value is Value,
  expected: string,
): Value | undefined {
  const value = request[key]
  if (value === undefined || value === null) return undefined
  if (!is(value)) throw requestError(key, expected, value)
  return value
}

function requestError(key: string, expected: string, got: unknown): UserError {
  const but = got === undefined ? '' : `, not ${describe(got)}`
  return new UserError('data', `"${key}" must be ${expected}${but}`)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText)
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isFinish(value: unknown): value is Finish {
  return finishes.some((finish) => finish === value)
}
