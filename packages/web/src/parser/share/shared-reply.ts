import type { Finish, ToolDefinition } from '@toolglot/core'
import { isObject } from '../../schema/resolve-schema.ts'
import { MAX_DRAWN, MAX_TEXT } from '../limits.ts'

/** A reply to share, with its parser options. */
export interface SharedReply {
  readonly text: string
  readonly protocol?: string
  readonly finish?: Finish
  readonly startsInReasoning?: boolean
  readonly tools?: readonly ToolDefinition[]
  /** A protocol as a picture. */
  readonly drawn?: string
}

/** Why shared content cannot be used, or not completely. */
export type ShareProblem =
  | { readonly type: 'too-long'; readonly length: number }
  | { readonly type: 'version'; readonly version: string }
  | { readonly type: 'fields'; readonly fields: string }
  | { readonly type: 'not-json' | 'no-text' | 'broken' | 'too-large' | 'file-too-large' }

/** The usable part of it, and the problems with the rest. */
export interface OpenedReply {
  readonly reply?: SharedReply
  readonly problem?: ShareProblem
}

const TYPE = 'toolglot-reply'
const VERSION = 1
export const FINISHES: readonly Finish[] = ['stop', 'stop-string', 'length', 'broken']
const MAX_TOOLS = 500

/** Serializes a reply as JSON. Lone surrogates are escaped, so they survive. */
export function writeShared(reply: SharedReply, indent?: number): string {
  return JSON.stringify({ type: TYPE, version: VERSION, ...reply }, null, indent)
}

/**
 * Parses the output of `writeShared`, or plain text. In a file with errors, the valid parts are
 * used.
 */
export function readShared(content: string): OpenedReply {
  const value = /^\uFEFF?\s*\{/.test(content) ? parsed(content) : undefined
  if (!isObject(value) || value['type'] !== TYPE) {
    // Any other text is a reply itself.
    const looksShared = content.slice(0, 200).includes(`"${TYPE}"`)
    return plainText(content, looksShared ? { type: 'not-json' } : undefined)
  }
  const { text, version } = value
  if (typeof text !== 'string') return { problem: { type: 'no-text' } }
  if (text.length > MAX_TEXT) return { problem: { type: 'too-long', length: text.length } }
  const reply: Record<string, unknown> = { text }
  const wrong: string[] = []
  for (const [field, isRight] of Object.entries(FIELDS)) {
    const given = value[field]
    if (given === undefined) continue
    if (isRight(given)) reply[field] = given
    else wrong.push(field)
  }
  const problem = problemOf(version, wrong)
  return { reply: reply as unknown as SharedReply, problem }
}

function problemOf(version: unknown, wrong: readonly string[]): ShareProblem | undefined {
  if (version !== VERSION)
    return { type: 'version', version: JSON.stringify(version ?? null).slice(0, 40) }
  return wrong.length > 0 ? { type: 'fields', fields: wrong.join(', ') } : undefined
}

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  protocol: (value) => typeof value === 'string' && value.length <= 100,
  finish: (value) => (FINISHES as readonly unknown[]).includes(value),
  startsInReasoning: (value) => typeof value === 'boolean',
  drawn: (value) => typeof value === 'string' && value.length <= MAX_DRAWN,
  tools: (value) => Array.isArray(value) && value.length <= MAX_TOOLS && value.every(isTool),
}

function isTool(value: unknown): boolean {
  if (!isObject(value) || typeof value['name'] !== 'string') return false
  const { description, parameters } = value
  return (
    (description === undefined || typeof description === 'string') &&
    (parameters === undefined || isObject(parameters))
  )
}

function plainText(text: string, problem: ShareProblem | undefined): OpenedReply {
  if (text.length > MAX_TEXT) return { problem: { type: 'too-long', length: text.length } }
  return { reply: { text }, problem }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
