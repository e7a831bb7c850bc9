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
      maxIterations: count.describe('How many turns the model may take.'),
      maxToolCalls: count.describe('How many calls may run.'),
      maxCallsPerTurn: count.describe('How many calls of one turn are run.'),
      maxMalformed: count.describe('How many turns in a row may have malformed calls.'),
      maxRepeats: count.describe('How many repeated calls in a row end the run.'),
      maxTokens: count.describe('The tokens of all turns together.'),
      maxCost: z
        .number()
        .positive()
        .optional()
        .describe("The cost of all turns together, in the currency of the model's price."),
      runTimeout: time.describe('In milliseconds, as all times.'),
      modelTimeout: time.describe('For one reply. Default: no limit.'),
      idleTimeout: time.describe('The longest silence in the middle of a reply.'),
      toolTimeout: time.describe('For a tool that has no timeout of its own.'),
      approvalTimeout: time.describe('A call that is not approved within this time is denied.'),
      maxEmpty: count.describe('How many empty replies in a row are accepted.'),
      maxRetries: z
        .number()
        .int()
        .min(0)
        .max(100)
        .optional()
        .describe('How often a model that is busy is asked again.'),
      maxReply: z
        .number()
        .int()
        .min(1)
        .max(16 << 20)
        .optional()
        .describe('The length of a reply, in characters.'),
      maxResult: count.describe(
        'The length of a result, in characters. The rest can be read later.',
      ),
    })
    .meta({ id: 'Limits', description: 'Limits of a run.' }),
)

const permissions: z.ZodType<NonNullable<RunOptions['given']>> = typed(
  z
    .strictObject({
      mode: z.enum(PERMISSION_MODES).optional().describe('What needs approval.'),
      allow: rules.describe('Such as Bash(git status).'),
      ask: rules.describe('What needs approval, whatever else allows it.'),
      deny: rules.describe('What never runs.'),
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
    .describe('What to do. @file attaches a file of the folder.'),
  attachments: z
    .array(attachment)
    .max(20)
    .optional()
    .describe('Files that are not in the folder, and images.'),
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
    .describe('Such as ollama/qwen3:8b. GET /api/models lists what there is.'),
  protocol: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The id of a protocol, native, or auto. Default: what suits the model.'),
  system: z
    .string()
    .max(1 << 20)
    .optional()
    .describe('Replaces the default system prompt.'),
  limits: limits.optional().describe('Limits of this run. Default: those of every run.'),
  permissions: permissions
    .optional()
    .describe('Rules and a mode for this run only. They count like those of the command line.'),
}
