import type { RunCall } from '@toolglot/agent'
import type {
  Call,
  Malformed,
  Reply,
  Segment,
  Span,
  ToolDefinition,
  WrappedTool,
} from '@toolglot/core'
import { z } from 'zod'
import { described, typed } from './described.ts'

/** A position in a reply. */
export const span: z.ZodType<Span> = typed(
  z.array(z.number()).length(2).meta({
    id: 'Span',
    description: 'A position in a reply: from, to (exclusive), in UTF-16 code units.',
  }),
)

const callFields = {
  id: z.string(),
  name: z.string(),
  args: z.looseObject({}),
  protocol: z.string(),
  complete: z.boolean().describe('True if the call is complete.'),
  repairs: z.array(z.string()).describe('The repairs that were necessary.'),
  details: z
    .array(z.object({ name: z.string(), span, was: z.string(), became: z.string() }))
    .optional()
    .describe('The position of each repair, if requested.'),
  raw: z.string().describe('The exact text of the model.'),
  span,
}

const TRUST =
  '`inReasoning`, `fenced`, `markerless`, `afterMalformed`, `afterResult` and `otherProtocol` are true or missing.'

const call: z.ZodType<Call> = described('Call', `A call, with cautions: ${TRUST}`, callFields)

/** A call of a run. */
export const runCall: z.ZodType<RunCall> = described(
  'RunCall',
  `A call of a run, with cautions: ${TRUST}`,
  {
    ...callFields,
    id: z.string().describe('Unique in the run.'),
    modelId: z.string().optional().describe('The id from the model.'),
  },
)

/** The facts about a block that could not be read as a call. */
export const malformedFields: { readonly [Key in keyof Malformed]: z.ZodType<Malformed[Key]> } = {
  raw: z.string(),
  problem: z
    .enum([
      'ambiguous',
      'cut',
      'empty',
      'no-name',
      'shape',
      'syntax',
      'too-deep',
      'too-large',
      'trailing-text',
      'unsafe-key',
    ])
    .describe('The reason why it could not be read as a call.'),
  hint: z.string().describe('The problem, and the expected text.'),
  at: z.number().describe('The position at which reading stopped.'),
  span,
}

const plain = z.object({ type: z.enum(['text', 'reasoning', 'mark']), span })
const malformed = z.object({ type: z.literal('malformed'), ...malformedFields })
const result = z.object({ type: z.literal('result'), span, raw: z.string() })

const segment: z.ZodType<Segment> = typed(
  z.union([plain, z.object({ type: z.literal('call'), span, call }), malformed, result]),
)

/** A recorded piece of a reply. */
export const runSegment: z.ZodType<
  Exclude<Segment, { type: 'call' }> | { readonly type: 'call'; span: Span; readonly call: RunCall }
> = typed(
  z.union([plain, z.object({ type: z.literal('call'), span, call: runCall }), malformed, result]),
)

/** The reading of a reply. */
export const reply: z.ZodType<Reply> = described('Reply', 'The reading of a reply.', {
  text: z.string().describe('The text for a person.'),
  reasoning: z.string(),
  calls: z.array(call),
  segments: z
    .array(segment)
    .describe('The pieces of the reply, in order, without gaps or overlaps.'),
})

const definition = z.object({
  name: z.string().min(1).max(256),
  description: z.string().max(100_000).optional(),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The JSON Schema of its arguments, which are an object.'),
})

/** Tools as a client sends them: plain, or wrapped as in chat APIs. */
export const toolDefinitions: z.ZodType<readonly (ToolDefinition | WrappedTool)[]> = typed(
  z
    .array(z.union([definition, z.object({ type: z.literal('function'), function: definition })]))
    .max(1000)
    .meta({ id: 'ToolDefinitions' }),
)
