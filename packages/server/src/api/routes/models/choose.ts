import { z } from 'zod'
import { publicUrl, textWithoutSecrets } from '../../without-secrets.ts'
import {
  changeUserSettings,
  verifyWorkspaceModel,
  chooseProtocols,
  connectWorkspaceModel,
  knownProtocols,
  type ModelTrial,
  tryModel,
} from '@toolglot/workspace'
import type { Endpoint } from '../../endpoint.ts'
import { typed, described } from '../../schemas/described.ts'
import { ModelError } from '@toolglot/agent'
import { visibleLine } from '@toolglot/workspace/internal'
import { HttpError } from '../../../security/http-error.ts'
import { folder, type InFolder } from '../../schemas/settings.ts'

/** A reference to a model, as requests contain it. */
const modelReference: z.ZodString = z
  .string()
  .min(1)
  .max(500)
  .describe('Such as ollama/qwen3:8b, or http://127.0.0.1:8080/v1#name.')

/** The reference to a model without possible secrets in its URL. */
export function publicReference(reference: string): string {
  // The model's kind may be followed by a URL.
  const start = reference.search(/https?:\/\//i)
  if (start < 0) return textWithoutSecrets(reference, [])
  const hash = reference.indexOf('#', start)
  const end = hash < 0 ? reference.length : hash
  return reference.slice(0, start) + publicUrl(reference.slice(start, end)) + reference.slice(end)
}

/** The new default model. */
interface UsedModel {
  readonly reference: string
  /** The settings file that now contains the choice. */
  readonly file: string
  /** The source that takes precedence over it: an environment variable or other settings. */
  readonly overriddenBy?: string
}

/** Makes a model the default. */
export const useModel: Endpoint<
  'POST /api/models/use',
  { readonly body: { readonly model: string } },
  UsedModel
> = {
  name: 'POST /api/models/use',
  about: "Make a model the default, in the user's own settings.",
  details: 'Choosing a paid model means agreeing to pay for it.',
  body: typed(z.strictObject({ model: modelReference })),
  answers: {
    200: {
      about: 'The model is now the default, unless another setting takes precedence.',
      schema: z.object({
        reference: z.string(),
        file: z.string().describe('The settings file that now contains it.'),
        overriddenBy: z
          .string()
          .optional()
          .describe(
            'The source that takes precedence over it: an environment variable or other settings.',
          ),
        note: z
          .string()
          .optional()
          .describe(
            'Parts that could not be checked, such as the name of a model whose server is not running.',
          ),
      }),
    },
  },
  async handle({ body }, { services: { folders } }) {
    const workspace = await folders.open()
    const { directories, env } = workspace
    const { reference, note } = await verifyWorkspaceModel(body.model, workspace)
    const file = changeUserSettings(directories, 'model', reference)
    const { settings } = await folders.open()
    const strongest = settings.values.find(({ key }) => key === 'model')?.source
    const overriddenBy = env['TOOLGLOT_MODEL']?.trim()
      ? 'TOOLGLOT_MODEL'
      : strongest?.file === file
        ? undefined
        : strongest?.file
    return {
      reference: publicReference(reference),
      file,
      overriddenBy,
      note,
    }
  },
}

/** The result of requesting one call from a model. */
interface TestedModel extends ModelTrial {
  readonly reference: string
  /** The reason for choosing this model. */
  readonly why: string
}

/** The model to test, and the format of the call. */
interface TestInput extends InFolder {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
}

const testedModel: z.ZodType<TestedModel> = described(
  'ModelTrial',
  'The result of asking a model for one call.',
  {
    reference: z.string(),
    why: z.string().describe('The reason for choosing this model.'),
    protocol: z.string().optional().describe('Missing for native function calling.'),
    by: z
      .enum(['probe', 'template', 'name', 'option', 'native', 'guess'])
      .describe('The source of the protocol.'),
    first: z.number().describe('Time to the first chunk, in milliseconds.'),
    total: z.number().describe('Time to the end, in milliseconds.'),
    tokens: z.number(),
    estimated: z.boolean().describe('True if the number of tokens is an estimate.'),
    perSecond: z.number(),
    finish: z.string(),
    understood: z.boolean(),
    but: z
      .string()
      .optional()
      .describe('Cautions about the reply, as a phrase that follows "understood, but ".'),
    repairs: z.array(z.string()),
    reply: z.string().describe('The text of the model.'),
  },
)

/** Requests one call from a model. */
export const testModel: Endpoint<
  'POST /api/models/test',
  { readonly body: TestInput },
  TestedModel
> = {
  name: 'POST /api/models/test',
  about: 'Request one call from a model, and show if it was read correctly and how long it took.',
  details: 'The test stops when the client disconnects.',
  body: typed(
    z.strictObject({
      folder,
      model: modelReference.optional().describe('Default: the default model.'),
      protocol: z.string().min(1).max(100).optional().describe("Default: the model's own."),
    }),
  ),
  answers: {
    200: {
      about: 'The result of the test.',
      schema: testedModel,
    },
  },
  async handle({ body }, { services, signal }) {
    const workspace = await services.folders.open(body.folder)
    const protocol =
      body.protocol === undefined
        ? undefined
        : chooseProtocols([body.protocol], await knownProtocols(workspace)).protocols?.[0]
    const named = body.model ?? services.defaults.model
    const chosen = await connectWorkspaceModel(workspace, { named, signal })
    if (!chosen.model) {
      throw new HttpError('model_unavailable', `No model: ${chosen.why}.`, {
        action: 'Start a model server, or choose a model.',
      })
    }
    const { reference, why } = chosen
    const trial = await tryModel(chosen.model, { signal, protocol }).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error
      throw new HttpError('model_unavailable', visibleLine(error.message), {
        action: 'Start its server, or choose another model.',
      })
    })
    return { ...trial, reference: publicReference(reference), why: textWithoutSecrets(why, []) }
  },
}
