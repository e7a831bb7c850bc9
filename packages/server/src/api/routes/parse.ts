import {
  type Call,
  collectReply,
  createParser,
  type Event,
  explain,
  type Explanation,
  type Finish,
  type ParserOptions,
  protocolFor,
  protocols,
  type Reply,
  type ToolDefinition,
  type WrappedTool,
} from '@toolglot/core'
import { details } from '@toolglot/core/details'
import {
  chooseProtocols,
  type ChosenProtocols,
  type KnownProtocols,
  knownProtocols,
} from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { HttpError } from '../../security/http-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { described, typed } from '../schemas/described.ts'
import { folder, type InFolder } from '../schemas/settings.ts'
import { reply as replySchema, toolDefinitions } from '../schemas/reply.ts'
import { toolsOf } from './protocols.ts'

/** A reply, and the options for reading it. */
export interface ParseInput extends InFolder {
  readonly text: string
  readonly protocols?: readonly string[] | undefined
  readonly model?: string | undefined
  readonly tools?: readonly (ToolDefinition | WrappedTool)[] | 'folder' | undefined
  readonly prefix?: string | undefined
  readonly startsInReasoning?: boolean | undefined
  readonly finish?: Finish | undefined
  readonly repairs?: boolean | undefined
  readonly details?: boolean | undefined
  readonly everyProtocol?: boolean | undefined
}

/** The reading of a reply, and its details. */
export interface ParsedReply {
  readonly reply: Reply
  /** The ids of the protocols used, or `auto` if all were used. */
  readonly protocols: readonly string[] | 'auto'
  /** The reason for using these protocols. */
  readonly why: string
  /** The readings of the protocols, one by one: one entry for each distinct reading. */
  readonly readings?: readonly Reading[]
  /**
   * How far each protocol alone can parse the reply. Missing for replies of more than 16,384
   * characters.
   */
  readonly explanations?: readonly Explanation[]
}

/** A reading, and the protocols that agree on it. */
export interface Reading {
  /** The ids of the protocols. The calls refer to the first of them. */
  readonly protocols: readonly string[]
  readonly reply: Reply
}

const explanation: z.ZodType<Explanation> = described(
  'Explanation',
  'How far one protocol could read a reply.',
  {
    protocol: z.string(),
    calls: z.number(),
    malformed: z.number(),
    opened: z.number(),
    furthest: z.object({ at: z.number(), expected: z.string(), found: z.string() }).optional(),
  },
)

/** Parses a reply of a model. */
export const parseReply: Endpoint<'POST /api/parse', { readonly body: ParseInput }, ParsedReply> = {
  name: 'POST /api/parse',
  about: "Parse a model's reply: its text, its calls, any repairs, and what could not be read.",
  body: typed(
    z
      .strictObject({
        folder,
        text: z
          .string()
          .max(1 << 20)
          .describe('The text of the model.'),
        protocols: z
          .array(z.string().min(1).max(100))
          .min(1)
          .max(200)
          .optional()
          .describe('The ids of the protocols to use. Default: all at once.'),
        model: z
          .string()
          .min(1)
          .max(300)
          .optional()
          .describe('The name of the model that wrote it, instead of protocols.'),
        tools: z
          .union([toolDefinitions, z.literal('folder')])
          .optional()
          .describe('The tools in the prompt, or `folder` for those of the folder.'),
        prefix: z
          .string()
          .max(1 << 16)
          .optional()
          .describe('The start of the reply that was in the prompt.'),
        startsInReasoning: z.boolean().optional().describe('The reply starts inside reasoning.'),
        finish: z
          .enum(['stop', 'stop-string', 'length', 'broken'])
          .optional()
          .describe('The end of the reply. Default: stop.'),
        repairs: z.boolean().optional().describe('Repair malformed calls. Default: true.'),
        details: z
          .boolean()
          .optional()
          .describe('Include the position of each repair. Default: false.'),
        everyProtocol: z
          .boolean()
          .optional()
          .describe(
            'Also read it with each protocol separately, and show how far each one got. For texts of up to 65,536 characters.',
          ),
      })
      .refine(({ protocols: ids, model }) => !ids || model === undefined, {
        message: 'must not be combined with protocols',
        path: ['model'],
      }),
  ),
  // JSON escapes line breaks and quotes, which makes the text longer.
  maxBody: 4 << 20,
  answers: {
    200: {
      about: 'The reading.',
      schema: z.object({
        reply: replySchema,
        protocols: z.union([z.array(z.string()), z.literal('auto')]),
        why: z.string().describe('The reason for using these protocols.'),
        readings: z
          .array(z.object({ protocols: z.array(z.string()), reply: replySchema }))
          .optional()
          .describe('The reading of each protocol: one entry for each distinct reading.'),
        explanations: z
          .array(explanation)
          .optional()
          .describe(
            'How far each protocol could read it. Missing for texts of more than 16,384 characters.',
          ),
      }),
    },
  },
  async handle({ body }, { services, signal }) {
    const { text, everyProtocol = false } = body
    if (everyProtocol && text.length > MAX_COMPARED) throw tooLongToCompare(text.length)
    const workspace = await services.folders.open(body.folder)
    const known = await knownProtocols(workspace)
    const { chosen, why } = choose(body, known)
    const tools = body.tools === 'folder' ? await toolsOf(workspace, services) : body.tools
    const options: ParserOptions = {
      repairs: body.repairs ?? true,
      tools,
      prefix: body.prefix,
      startsInReasoning: body.startsInReasoning,
      // Makes ids the same in every reading.
      makeId: (index) => `call_${index + 1}`,
    }
    const read = (picked: ChosenProtocols & Pick<ParserOptions, 'details'>): Promise<Reply> =>
      readSlowly(text, { ...options, ...picked }, body.finish, signal)
    const reply = await read({ ...chosen, ...(body.details && { details }) })
    const answer = {
      reply,
      protocols: chosen.auto || !chosen.protocols ? 'auto' : chosen.protocols.map(({ id }) => id),
      why,
    } as const
    if (!everyProtocol) return answer

    const readings = new Map<string, { protocols: string[]; reply: Reply }>()
    const explanations: Explanation[] = []
    for (const protocol of [...known.own, ...Object.values(protocols)]) {
      const each = await read({ protocols: [protocol] })
      const key = keyOf(each)
      const same = readings.get(key)
      if (same) same.protocols.push(protocol.id)
      else readings.set(key, { protocols: [protocol.id], reply: each })
      await setImmediate()
      if (text.length <= MAX_EXPLAINED)
        explanations.push(...explain(text, { ...options, protocols: [protocol] }))
    }
    return {
      ...answer,
      readings: [...readings.values()],
      ...(explanations.length > 0 && { explanations }),
    }
  },
}

const MAX_COMPARED = 1 << 16
/**
 * The maximum length of a reply to explain, in characters. An explanation cannot be interrupted,
 * and replies with very many marks take longer.
 */
const MAX_EXPLAINED = 1 << 14
/**
 * The number of characters parsed at a time: few enough that other requests hardly wait, even for
 * replies with very many marks.
 */
const SLICE = 128

function tooLongToCompare(length: number): HttpError {
  return new HttpError(
    'invalid_request',
    `text: ${length} characters are too many with everyProtocol. The limit is ${MAX_COMPARED}.`,
    { action: 'Shorten the text, or choose the protocols to read it with.' },
  )
}

/**
 * Reads a reply slice by slice, to let other requests run in between. Stops when the signal aborts.
 */
async function readSlowly(
  text: string,
  options: ParserOptions,
  finish: Finish | undefined,
  signal: AbortSignal,
): Promise<Reply> {
  const parser = createParser(options)
  const events: Event[] = []
  for (let at = 0; at < text.length; at += SLICE) {
    signal.throwIfAborted()
    for (const event of parser.feed(text.slice(at, at + SLICE))) events.push(event)
    await setImmediate()
  }
  for (const event of parser.end(finish ? { finish } : {})) events.push(event)
  return oncePerBlock(collectReply(events))
}

/**
 * Several calls in one block share its text. Only the first keeps it: repeated in each call, the
 * text could make the response far longer than the reply.
 */
function oncePerBlock(reply: Reply): Reply {
  const once = (call: Call): Call => (call.span[0] < call.span[1] ? call : { ...call, raw: '' })
  return {
    ...reply,
    calls: reply.calls.map(once),
    segments: reply.segments.map((segment) =>
      segment.type === 'call' ? { ...segment, call: once(segment.call) } : segment,
    ),
  }
}

/** A key that is equal for readings that differ only in their protocol's name. */
function keyOf({ text, reasoning, segments }: Reply): string {
  const anonymous = segments.map((segment) =>
    segment.type === 'call' ? { ...segment, call: { ...segment.call, protocol: '' } } : segment,
  )
  return createHash('sha256')
    .update(JSON.stringify([text, reasoning, anonymous]))
    .digest('base64')
}

function choose(
  { protocols: ids, model }: ParseInput,
  known: KnownProtocols,
): { readonly chosen: ChosenProtocols; readonly why: string } {
  if (model === undefined) {
    return {
      chosen: chooseProtocols(ids ?? ['auto'], known),
      why:
        ids && !ids.includes('auto')
          ? 'you chose it'
          : 'no protocol was chosen, so all were tried at once',
    }
  }
  const { protocol, nearest } = protocolFor(model)
  if (protocol) return { chosen: { protocols: [protocol] }, why: `${quote(model)} writes it` }
  const near = nearest.length > 0 ? ` The nearest are ${nearest.slice(0, 5).join(', ')}.` : ''
  throw new HttpError(
    'unprocessable',
    `The protocol of the model ${quote(model)} is unknown.${near}`,
    {
      action: 'Send protocols instead of a model, or neither to try all protocols.',
    },
  )
}
