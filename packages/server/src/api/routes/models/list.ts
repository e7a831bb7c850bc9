import { chooseCallFormat } from '@toolglot/agent/adapter/internal'
import { type FoundModel, protocolOf } from '@toolglot/agent/models'
import type { RuleScope } from '@toolglot/permissions'
import {
  type ChosenModel,
  chooseWorkspaceModel,
  DEMO,
  type ModelSearch,
  searchModels,
  type Workspace,
} from '@toolglot/workspace'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint.ts'
import { typed } from '../../schemas/described.ts'
import { folder, type InFolder, scope } from '../../schemas/settings.ts'
import type { ApiServices } from '../../services.ts'
import { publicUrl, textWithoutSecrets } from '../../without-secrets.ts'
import { publicReference } from './choose.ts'

/** The available models, and the default one. */
export interface ModelList {
  /** The default model. Without one, the built-in demo script answers. */
  readonly choice: {
    readonly reference?: string
    /** The reason for this choice, or the reason why there is no choice. */
    readonly why: string
    /** The provider charges money, and the user has not agreed to that yet. */
    readonly costs?: { readonly provider: string; readonly name: string }
    /**
     * The protocol that the model would be prompted for, or `native`. Missing if the model is
     * unusable.
     */
    readonly protocol?: string
    /** True if the model's protocol is unknown and the prompt describes one. */
    readonly isGuess?: boolean
  }
  /** True if the built-in demo script answers. */
  readonly isDemo: boolean
  /** The model in TOOLGLOT_MODEL. */
  readonly named?: string
  /** The model in the settings. */
  readonly saved?: { readonly reference: string; readonly scope: RuleScope }
  /** The servers that were checked on this machine. */
  readonly servers: readonly ListedModelServer[]
  /** The providers with a key in the environment. Their models cost money. */
  readonly providers: readonly PaidProvider[]
}

/** A model server on this machine. */
export interface ListedModelServer {
  readonly id: string
  readonly name: string
  /** The checked address. */
  readonly url: string
  /** `other`: another program is listening there. */
  readonly status: 'running' | 'absent' | 'other'
  /** The command that starts it. */
  readonly start: string
  readonly models: readonly ListedServerModel[]
}

/** A model on a server. */
export interface ListedServerModel {
  /** The reference for requests and settings. */
  readonly reference: string
  readonly name: string
  /** The context window that is configured on the server, in tokens. */
  readonly contextTokens?: number | undefined
  /** The context window of the model's training, in tokens. */
  readonly trainedTokens?: number | undefined
  /** True if the model is loaded. */
  readonly loaded?: boolean | undefined
  /** True if the server supports function calling with it. */
  readonly tools?: boolean | undefined
  readonly images?: boolean | undefined
  /** The model's protocol, if known. */
  readonly protocol?: string | undefined
  /** The source of `protocol`. */
  readonly protocolBy?: 'probe' | 'template' | 'name' | undefined
}

/** A paid provider with a key in the environment. */
export interface PaidProvider {
  readonly id: string
  readonly name: string
  /** The environment variable with the key. */
  readonly variable: string
  /** The provider's usual model. */
  readonly reference: string
  /** True if the user agreed to use it. */
  readonly agreed: boolean
}

/** Looks for models. */
export const listModels: Endpoint<'GET /api/models', { readonly query: InFolder }, ModelList> = {
  name: 'GET /api/models',
  about: 'Find models: running servers, keys in the environment, and models in the settings.',
  query: typed(z.strictObject({ folder })),
  answers: {
    200: {
      about: 'The models found, and the default one.',
      schema: z.object({
        choice: z
          .object({
            reference: z.string().optional(),
            why: z.string().describe('The reason for this choice, or why there is none.'),
            costs: z
              .object({ provider: z.string(), name: z.string() })
              .optional()
              .describe('The provider charges money, and the user has not agreed to that yet.'),
            protocol: z
              .string()
              .optional()
              .describe(
                'The protocol that the model would be prompted for, or native; missing if the model is unusable.',
              ),
            isGuess: z
              .boolean()
              .optional()
              .describe('True if the protocol of the model is unknown.'),
          })
          .describe('The default model.'),
        isDemo: z.boolean().describe('True if the built-in demo script answers.'),
        named: z.string().optional().describe('The model in TOOLGLOT_MODEL.'),
        saved: z
          .object({ reference: z.string(), scope })
          .optional()
          .describe('The model in the settings.'),
        servers: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            url: z.string().describe('The checked address, without credentials.'),
            status: z
              .enum(['running', 'absent', 'other'])
              .describe('`other`: something else is listening there.'),
            start: z.string().describe('The command that starts it.'),
            models: z.array(
              z.object({
                reference: z.string().describe('The reference for requests and settings.'),
                name: z.string(),
                contextTokens: z.number().optional(),
                trainedTokens: z.number().optional(),
                loaded: z.boolean().optional().describe('True if the model is loaded.'),
                tools: z
                  .boolean()
                  .optional()
                  .describe('True if the server supports function calling with it.'),
                images: z.boolean().optional(),
                protocol: z.string().optional().describe('The protocol of the model, if known.'),
                protocolBy: z
                  .enum(['probe', 'template', 'name'])
                  .optional()
                  .describe('The source of the protocol; `probe`: it was tested.'),
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
              agreed: z.boolean().describe('True if the user agreed to pay for it.'),
            }),
          )
          .describe('Providers with a key in the environment. Their models cost money.'),
      }),
    },
  },
  async handle({ query }, { services, signal }) {
    const { folders, defaults } = services
    const workspace = await folders.open(query.folder)
    const [search, chosen] = await Promise.all([
      searchModels(workspace, { signal }),
      // If this fails, a run would fail too, so there is no protocol to show.
      chooseWorkspaceModel(workspace, { ...defaults, signal }).catch(() => undefined),
    ])
    return listOf(search, workspace, { defaults, chosen })
  },
}

interface Chosen {
  /** The defaults that the server was started with. */
  readonly defaults: ApiServices['defaults']
  /** The model that a run would use. */
  readonly chosen: ChosenModel | undefined
}

function listOf(
  { found, choice, paid, probed }: ModelSearch,
  { env }: Workspace,
  { defaults, chosen }: Chosen,
): ModelList {
  const { named, saved, servers, keys } = found
  const urls = [...servers.map(({ url }) => url), ...keys.map(({ url }) => url)]
  const first = firstNamed(defaults, env)
  return {
    choice: {
      ...(first
        ? { ...first, reference: publicReference(first.reference) }
        : {
            reference:
              choice.reference === undefined ? undefined : publicReference(choice.reference),
            why: textWithoutSecrets(choice.why, urls),
            costs: 'costs' in choice && choice.costs ? choice.costs : undefined,
          }),
      ...protocolOfRuns(chosen),
    },
    isDemo: (first?.reference ?? choice.reference ?? DEMO) === DEMO,
    named: named === undefined ? undefined : publicReference(named),
    saved: saved ? { ...saved, reference: publicReference(saved.reference) } : undefined,
    servers: servers.map(({ id, name, url, status, start, models }) => ({
      id,
      name,
      url: publicUrl(url),
      status,
      start,
      models: models.map((each) => describeModel(id, each, probed[`${id}/${each.name}`])),
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

/** The model from the options, the environment or the settings, before any search. */
function firstNamed(
  { model: named }: Chosen['defaults'],
  env: Workspace['env'],
): { readonly reference: string; readonly why: string } | undefined {
  if (named !== undefined) return { reference: named, why: 'the server was started with it' }
  if (env['TOOLGLOT_MODEL']?.trim() !== DEMO) return undefined
  return { reference: DEMO, why: 'set by TOOLGLOT_MODEL' }
}

function protocolOfRuns(
  chosen: ChosenModel | undefined,
): Pick<ModelList['choice'], 'protocol' | 'isGuess'> {
  if (!chosen) return {}
  const { protocol, guessed } = chooseCallFormat(chosen.model, chosen.protocol)
  return { protocol: protocol?.id ?? 'native', isGuess: guessed }
}

function describeModel(
  server: string,
  found: FoundModel,
  probed: string | undefined,
): ListedServerModel {
  const { name, contextTokens, trainedTokens, loaded, tools, images } = found
  const { protocol: known, by } = protocolOf(found)
  const protocol = probed
    ? { protocol: probed, protocolBy: 'probe' as const }
    : known && { protocol: known.id, protocolBy: by }
  const facts = { contextTokens, trainedTokens, loaded, tools, images, ...protocol }
  // JSON omits undefined values.
  return { reference: `${server}/${name}`, name, ...facts }
}
