import { ModelError } from '@toolglot/agent'
import {
  chooseProtocols,
  connectWorkspaceModel,
  knownProtocols,
  type ModelTrial,
  tryModel,
} from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { z } from 'zod'
import { HttpError } from '../../../security/http-error.ts'
import type { Endpoint } from '../../endpoint.ts'
import { described, typed } from '../../schemas/described.ts'
import { folder, type InFolder } from '../../schemas/folder.ts'
import { textWithoutSecrets } from '../../without-secrets.ts'
import { modelReference, publicReference } from './reference.ts'

/** The result of asking a model for one call. */
export interface TestedModel extends ModelTrial {
  readonly reference: string
  /** Why this model. */
  readonly why: string
}

/** Which model to test, and how it should write the call. */
export interface TestInput extends InFolder {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
}

const testedModel: z.ZodType<TestedModel> = described(
  'ModelTrial',
  'The result of asking a model for one call.',
  {
    reference: z.string(),
    why: z.string().describe('Why this model.'),
    protocol: z.string().optional().describe('Missing: its own function calling.'),
    by: z
      .enum(['probe', 'template', 'name', 'option', 'native', 'guess'])
      .describe('How the protocol was chosen.'),
    first: z.number().describe('Time to the first chunk, in milliseconds.'),
    total: z.number().describe('Time to the end, in milliseconds.'),
    tokens: z.number(),
    estimated: z.boolean().describe('The number of tokens is an estimate.'),
    perSecond: z.number(),
    finish: z.string(),
    understood: z.boolean(),
    but: z.string().optional().describe('What else was read: it follows "understood, but ".'),
    repairs: z.array(z.string()),
    reply: z.string().describe('What it wrote.'),
  },
)

/** Asks a model for one call. */
export const testModel: Endpoint<
  'POST /api/models/test',
  { readonly body: TestInput },
  TestedModel
> = {
  name: 'POST /api/models/test',
  about: 'Ask a model for one call, and show whether it was understood and how long it took.',
  details: 'It stops when the client goes away.',
  body: typed(
    z.strictObject({
      folder,
      model: modelReference.optional().describe('Default: the one that is used if none is named.'),
      protocol: z.string().min(1).max(100).optional().describe("Default: the model's own."),
    }),
  ),
  answers: {
    200: {
      about: 'How it went.',
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
      throw new HttpError('model_unavailable', `Expected a model, got none: ${chosen.why}.`, {
        action: 'Start a model server, or name a model.',
      })
    }
    const { reference, why } = chosen
    const trial = await tryModel(chosen.model, { signal, protocol }).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error
      throw new HttpError('model_unavailable', visibleLine(error.message), {
        action: 'Start its server, or name another model.',
      })
    })
    return { ...trial, reference: publicReference(reference), why: textWithoutSecrets(why, []) }
  },
}
