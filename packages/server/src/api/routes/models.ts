import { ModelError } from '@toolglot/agent'
import { type FoundModel, parseReference, printReference, protocolOf } from '@toolglot/agent/models'
import type { RuleScope } from '@toolglot/permissions'
import {
  changeUserSettings,
  chooseProtocols,
  connectWorkspaceModel,
  DEMO,
  knownProtocols,
  type ModelSearch,
  type ModelTrial,
  searchModels,
  tryModel,
  type Workspace,
} from '@toolglot/workspace'
import { asUserError, visibleLine } from '@toolglot/workspace/internal'
import { z } from 'zod'
import { HttpError } from '../../security/http-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { described, typed } from '../schemas/described.ts'
import { folder, type InFolder } from '../schemas/folder.ts'
import { scope } from '../schemas/source.ts'
import { publicUrl, textWithoutSecrets } from '../without-secrets.ts'

/** The models that can be used, and the one that would be. */
export interface ModelList {
  /** The model that is used if none is named; without one, the built-in demo script answers. */
  readonly choice: {
    readonly reference?: string
    /** Why this one, or why none. */
    readonly why: string
    /** The provider charges money, and the user has not agreed to that yet. */
    readonly costs?: { readonly provider: string; readonly name: string }
  }
  /** Whether the built-in demo script answers. */
  readonly isDemo: boolean
  /** What TOOLGLOT_MODEL names. */
  readonly named?: string
  /** What settings name. */
  readonly saved?: { readonly reference: string; readonly scope: RuleScope }
  /** The servers that were looked for on this machine. */
  readonly servers: readonly ListedModelServer[]
  /** The providers with a key in the environment. Their models cost money. */
  readonly providers: readonly PaidProvider[]
}

/** A model server on this machine. */
export interface ListedModelServer {
  readonly id: string
  readonly name: string
  /** The address that was tried. */
  readonly url: string
  /** `other`: something else is listening there. */
  readonly status: 'running' | 'absent' | 'other'
  /** The command that starts it. */
  readonly start: string
  readonly models: readonly ListedServerModel[]
}

/** A model on a server. */
export interface ListedServerModel {
  /** How it is named in requests and settings. */
  readonly reference: string
  readonly name: string
  /** The context window that the server is configured for, in tokens. */
  readonly contextTokens?: number | undefined
  /** The context window it was trained for, in tokens. */
  readonly trainedTokens?: number | undefined
  /** Whether it is in memory. */
  readonly loaded?: boolean | undefined
  /** Whether the server supports function calling with it. */
  readonly tools?: boolean | undefined
  readonly images?: boolean | undefined
  /** The protocol that it writes, if that is known. */
  readonly protocol?: string | undefined
}

/** A paid provider with a key in the environment. */
export interface PaidProvider {
  readonly id: string
  readonly name: string
  /** The environment variable with the key. */
  readonly variable: string
  /** Its usual model. */
  readonly reference: string
  /** Whether the user agreed to use it. */
  readonly agreed: boolean
}

/** The result of asking a model for one call. */
export interface TestedModel extends ModelTrial {
  readonly reference: string
  /** Why this model. */
  readonly why: string
}

/** The default model that was set. */
export interface UsedModel {
  readonly reference: string
  /** The settings file that names it now. */
  readonly file: string
  /** What takes precedence over it: an environment variable or other settings. */
  readonly overriddenBy?: string
}

/** Looks for models. */
export const listModels: Endpoint<'GET /api/models', { readonly query: InFolder }, ModelList> = {
  name: 'GET /api/models',
  about: 'Look for models: running servers, keys in the environment, and what settings name.',
  query: typed(z.strictObject({ folder })),
  answers: {
    200: {
      about: 'What was found, and which model would be used.',
      schema: z.object({
        choice: z
          .object({
            reference: z.string().optional(),
            why: z.string().describe('Why this one, or why none.'),
            costs: z
              .object({ provider: z.string(), name: z.string() })
              .optional()
              .describe('The provider charges money, and the user has not agreed to that yet.'),
          })
          .describe('The model that is used if none is named.'),
        isDemo: z.boolean().describe('Whether the built-in demo script answers.'),
        named: z.string().optional().describe('What TOOLGLOT_MODEL names.'),
        saved: z
          .object({ reference: z.string(), scope })
          .optional()
          .describe('What settings name.'),
        servers: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            url: z.string().describe('The address that was tried, without credentials.'),
            status: z
              .enum(['running', 'absent', 'other'])
              .describe('`other`: something else is listening there.'),
            start: z.string().describe('The command that starts it.'),
            models: z.array(
              z.object({
                reference: z.string().describe('How it is named in requests and settings.'),
                name: z.string(),
                contextTokens: z.number().optional(),
                trainedTokens: z.number().optional(),
                loaded: z.boolean().optional().describe('Whether it is in memory.'),
                tools: z.boolean().optional().describe('Whether it has function calling there.'),
                images: z.boolean().optional(),
                protocol: z.string().optional().describe('What it writes, if that is known.'),
              }),
            ),
          }),
        ),
        providers: z
          .array(
            z.object({
              id: z.string(),
              name: z.string(),
              variable: z.string().describe('The environment variable with the key.'),
              reference: z.string().describe('Its usual model.'),
              agreed: z.boolean().describe('Whether the user agreed to pay for it.'),
            }),
          )
          .describe('Providers with a key in the environment. Their models cost money.'),
      }),
    },
  },
  async handle({ query }, { services, signal }) {
    const workspace = await services.folders.open(query.folder)
    return listOf(await searchModels(workspace, { signal }), workspace)
  },
}

/** Which model to test, and how it should write the call. */
export interface TestInput extends InFolder {
  readonly model?: string | undefined
  readonly protocol?: string | undefined
}

const model = z
  .string()
  .min(1)
  .max(500)
  .describe('Such as ollama/qwen3:8b, or http://127.0.0.1:8080/v1#name.')

const testedModel: z.ZodType<TestedModel> = described(
  'ModelTrial',
  'The result of asking a model for one call.',
  {
    reference: z.string(),
    why: z.string().describe('Why this model.'),
    protocol: z.string().optional().describe('Missing: its own function calling.'),
    by: z
      .enum(['template', 'name', 'option', 'native', 'guess'])
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
      model: model.optional().describe('Default: the one that is used if none is named.'),
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
    const chosen = await connectWorkspaceModel(workspace, { named: body.model, signal })
    if (!chosen.model) {
      throw new HttpError('model_unavailable', `Expected a model, got none: ${chosen.why}.`, {
        action: 'Start a model server, or name a model.',
      })
    }
    const { reference, why } = chosen
    const trial = await tryModel(chosen.model, { signal, ...(protocol && { protocol }) }).catch(
      (error: unknown) => {
        if (!(error instanceof ModelError)) throw error
        throw new HttpError('model_unavailable', visibleLine(error.message), {
          action: 'Start its server, or name another model.',
        })
      },
    )
    return { ...trial, reference: publicReference(reference), why: textWithoutSecrets(why, []) }
  },
}

/** Makes a model the default. */
export const useModel: Endpoint<
  'POST /api/models/use',
  { readonly body: { readonly model: string } },
  UsedModel
> = {
  name: 'POST /api/models/use',
  about: "Make a model the default, in the user's own settings.",
  details: 'Whoever names a paid model agrees to pay for it.',
  body: typed(z.strictObject({ model })),
  answers: {
    200: {
      about: 'It is the default now, unless something takes precedence.',
      schema: z.object({
        reference: z.string(),
        file: z.string().describe('The settings file that names it now.'),
        overriddenBy: z
          .string()
          .optional()
          .describe('What takes precedence over it: an environment variable or other settings.'),
      }),
    },
  },
  async handle({ body }, { services: { folders } }) {
    const reference = await asUserError(async () => printReference(parseReference(body.model)))
    const { directories, env } = await folders.open()
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
      ...(overriddenBy !== undefined && { overriddenBy }),
    }
  },
}

function listOf({ found, choice, paid }: ModelSearch, { env }: Workspace): ModelList {
  const { named, saved, servers, keys } = found
  const urls = [...servers.map(({ url }) => url), ...keys.map(({ url }) => url)]
  const namesDemo = env['TOOLGLOT_MODEL']?.trim() === DEMO
  return {
    choice: namesDemo
      ? { reference: DEMO, why: 'TOOLGLOT_MODEL selects it' }
      : {
          ...(choice.reference !== undefined && { reference: publicReference(choice.reference) }),
          why: textWithoutSecrets(choice.why, urls),
          ...('costs' in choice && choice.costs && { costs: choice.costs }),
        },
    isDemo: namesDemo || choice.reference === undefined,
    ...(named !== undefined && { named: publicReference(named) }),
    ...(saved && { saved: { ...saved, reference: publicReference(saved.reference) } }),
    servers: servers.map(({ id, name, url, status, start, models }) => ({
      id,
      name,
      url: publicUrl(url),
      status,
      start,
      models: models.map((each) => describeModel(id, each)),
    })),
    providers: keys.map(({ provider, name, variable, usual }) => ({
      id: provider,
      name,
      variable,
      reference: `${provider}/${usual}`,
      agreed: paid.includes(provider),
    })),
  }
}

function describeModel(server: string, found: FoundModel): ListedServerModel {
  const { name, contextTokens, trainedTokens, loaded, tools, images } = found
  const protocol = protocolOf(found).protocol?.id
  const facts = { contextTokens, trainedTokens, loaded, tools, images, protocol }
  // JSON omits undefined values.
  return { reference: `${server}/${name}`, name, ...facts }
}

/** The name of a model without what may be secret in its URL. */
function publicReference(reference: string): string {
  const hash = reference.indexOf('#')
  if (hash < 0 || !/^https?:/i.test(reference)) return textWithoutSecrets(reference, [])
  return `${publicUrl(reference.slice(0, hash))}${reference.slice(hash)}`
}
