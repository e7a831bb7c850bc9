import type { Limits } from '@toolglot/agent'
import { PERMISSION_MODES } from '@toolglot/permissions'
import { isImageUrl } from '@toolglot/agent/internal'
import { z } from 'zod'
import type { Attachment } from '../../runs/run-request.ts'
import type { RunOptions } from '@toolglot/agent'
import { typed } from './described.ts'

const rules = z.array(z.string().min(1).max(10_000)).max(1000).optional()

/** An image attached to a message. */
export const imageAttachment: z.ZodType<Extract<Attachment, { type: 'image' }>> = typed(
  z.strictObject({
    type: z.literal('image'),
    url: z
      .string()
      .max(28 << 20)
      .refine(
        (url) => url.startsWith('data:') && isImageUrl(url),
        'must be a data:image/…;base64,… URL',
      )
      .describe('The image itself, as a data: URL in base64.'),
  }),
)

const attachment: z.ZodType<Attachment> = z.union([
  z.strictObject({
    type: z.literal('text'),
    name: z.string().min(1).max(1000).describe('The name of the file.'),
    text: z.string().max(4 << 20),
  }),
  imageAttachment,
])

const count = z.number().int().min(1).max(1_000_000).optional()
const time = z
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1)
  .optional()

const limits: z.ZodType<Partial<Limits>> = typed(
  z
    .strictObject({
      maxIterations: count.describe('The maximum number of turns.'),
      maxToolCalls: count.describe('The maximum number of calls.'),
      maxCallsPerTurn: count.describe('The maximum number of calls per turn.'),
      maxMalformed: count.describe('The maximum number of consecutive turns with malformed calls.'),
      maxRepeats: count.describe('The number of consecutive repeated calls that ends the run.'),
      maxTokens: count.describe('The maximum number of tokens in all turns.'),
      maxCost: z
        .number()
        .positive()
        .optional()
        .describe("The cost of all turns together, in the currency of the model's price."),
      runTimeout: time.describe('The time limit of the run, in milliseconds like all times.'),
      modelTimeout: time.describe('The time limit of a reply. Default: none.'),
      idleTimeout: time.describe('The maximum silence within a reply.'),
      toolTimeout: time.describe('The time limit of tools without their own.'),
      approvalTimeout: time.describe(
        'The time after which an unanswered approval counts as denied.',
      ),
      maxEmpty: count.describe('The maximum number of consecutive empty replies.'),
      maxRetries: z
        .number()
        .int()
        .min(0)
        .max(100)
        .optional()
        .describe('The maximum number of retries if a model is busy.'),
      maxReply: z
        .number()
        .int()
        .min(1)
        .max(16 << 20)
        .optional()
        .describe('The maximum length of a reply, in characters.'),
      maxResult: count.describe(
        'The maximum length of a result, in characters. The rest can be read later.',
      ),
    })
    .meta({ id: 'Limits', description: 'Limits of a run.' }),
)

const permissions: z.ZodType<NonNullable<RunOptions['given']>> = typed(
  z
    .strictObject({
      mode: z.enum(PERMISSION_MODES).optional().describe('The permission mode.'),
      allow: rules.describe('Calls that are allowed, such as Bash(git status).'),
      ask: rules.describe('Calls that need approval, even if another rule allows them.'),
      deny: rules.describe('Calls that are denied.'),
    })
    .meta({ id: 'RunPermissions', description: 'Rules and a mode for one run.' }),
)

/** The fields that all messages to a run share. */
export const promptFields: {
  readonly prompt: z.ZodString
  readonly attachments: z.ZodOptional<z.ZodType<readonly Attachment[]>>
} = {
  prompt: z
    .string()
    .min(1)
    .max(1 << 20)
    .describe('The task. @file attaches a file of the folder.'),
  attachments: z
    .array(attachment)
    .max(20)
    .optional()
    .describe('Files from outside the folder, and images.'),
}

/** The fields shared by every request that starts a run, besides the prompt. */
export const runFields: {
  readonly model: z.ZodOptional<z.ZodString>
  readonly protocol: z.ZodOptional<z.ZodString>
  readonly system: z.ZodOptional<z.ZodString>
  readonly limits: z.ZodOptional<z.ZodType<Partial<Limits>>>
  readonly permissions: z.ZodOptional<z.ZodType<NonNullable<RunOptions['given']>>>
} = {
  model: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('A model such as ollama/qwen3:8b. GET /api/models lists the available ones.'),
  protocol: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The id of a protocol, native, or auto. Default: chosen for the model.'),
  system: z
    .string()
    .max(1 << 20)
    .optional()
    .describe('Replaces the default system prompt.'),
  limits: limits.optional().describe('Limits of this run. Default: the limits in the settings.'),
  permissions: permissions
    .optional()
    .describe(
      'Rules and a mode for this run only. They are treated like those of the command line.',
    ),
}
