import { parseReference } from '@toolglot/agent/models'
import { workspaceModelKinds } from '../../model/model-kinds.ts'
import { DEMO } from '../../demo/demo-model.ts'
import { describe, type Item, show } from '../item.ts'
import {
  about,
  type Field,
  fieldsSchema,
  flagField,
  integerField,
  numberField,
  patternField,
  readFields,
  wordField,
  type Wrong,
} from './fields.ts'
import { OWN_SCOPES, type SettingsKey, type SettingValue, settingValues } from './key.ts'

/** The models available to clients of the gateway, and the options for requests. */
export interface GatewaySettings {
  /** Models by the name that clients use. `*` handles all other names. */
  readonly models: Readonly<Record<string, GatewayModelSettings>>
  /** Stream arguments while the model is writing them. */
  readonly streamArguments?: boolean
}

/** Options that help a small model with the tools of a large agent. */
export interface GatewayHelpSettings {
  /**
   * The maximum detail of tool descriptions. Default: `brief` if the name of the model indicates
   * that it is small, or else `whole`.
   */
  readonly describeTools?: 'whole' | 'brief' | 'minimal'
  /** End a reply after its first call. */
  readonly oneCall?: boolean
  /** The number of example calls at the start of the conversation. */
  readonly examples?: number
}

/** A model behind the gateway. */
export interface GatewayModelSettings extends GatewayHelpSettings {
  /** A reference such as `ollama/qwen3:8b` or `http://127.0.0.1:8080/v1#name`, or `default` for the default model. */
  readonly model: string
  /**
   * The id of the protocol for the model's calls, or `native`. Default: chosen by the model's chat
   * template or name.
   */
  readonly protocol?: string
  /** The place for describing the tools. */
  readonly toolsIn?: 'prompt' | 'request'
  /** The model has its own function calling. */
  readonly native?: boolean
  /** The size of its context window, in tokens. */
  readonly contextTokens?: number
  /** The model accepts images. */
  readonly images?: boolean
  /** The model can continue a reply from a given beginning. */
  readonly prefill?: boolean
  readonly temperature?: number
  readonly topP?: number
  readonly maxOutputTokens?: number
  /** Additional fields of every request to it, such as `{ "top_k": 20 }`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Stream arguments while the model is writing them. */
  readonly streamArguments?: boolean
  /**
   * Send calls that may be examples, such as JSON in a code fence, even if they are surrounded by
   * text.
   */
  readonly callsInProse?: boolean
  /**
   * Different settings for certain clients, by the name in their User-Agent, such as `claude-cli`.
   */
  readonly clients?: Readonly<Record<string, GatewayHelpSettings>>
}

const HELP: Readonly<Record<keyof GatewayHelpSettings, Field>> = {
  describeTools: about(
    'The maximum detail of tool descriptions: whole, brief without long descriptions, or minimal with only the parts needed for a call. Default: brief if the name of the model indicates at most 14 billion parameters, or else whole.',
    wordField('whole', 'brief', 'minimal'),
  ),
  oneCall: about('End a reply after its first call. Default: false.', flagField),
  examples: about(
    "The number of example calls of the client's tools at the start of a conversation. Default: 0.",
    integerField(0, 3),
  ),
}

const MODEL: Readonly<Record<keyof GatewayModelSettings, Field>> = {
  model: about(
    'The model, such as ollama/qwen3:8b or http://127.0.0.1:8080/v1#name; default: the default model.',
    {
      expected: 'a model, such as "ollama/qwen3:8b"',
      schema: { type: 'string', pattern: '^(default|script|.+[/#].+)$' },
      read: readReference,
    },
  ),
  protocol: about(
    'The id of the protocol for its calls, or native. Default: chosen by its chat template or name.',
    patternField('the id of a protocol or "native"', /^(?!auto$)[A-Za-z0-9_.-]{1,100}$/),
  ),
  toolsIn: about(
    'Describe tools in the prompt or in the request. Use the request for a server whose chat template describes them.',
    wordField('prompt', 'request'),
  ),
  native: about('The model has its own function calling.', flagField),
  contextTokens: about('The size of its context window, in tokens.', integerField(1)),
  images: about('The model accepts images.', flagField),
  prefill: about('The model can continue a reply from a given beginning.', flagField),
  temperature: about('The temperature of requests that set none.', numberField(0, 10)),
  topP: about('The top-p value of requests that set none.', numberField(0, 1)),
  maxOutputTokens: about(
    'The maximum length of a reply in tokens, for requests that set none.',
    integerField(1),
  ),
  body: about('Additional fields of every request to it, such as { "top_k": 20 }.', {
    expected: 'an object',
    schema: { type: 'object' },
    read: readBody,
  }),
  streamArguments: about('Stream arguments while the model is writing them.', flagField),
  callsInProse: about(
    'Send calls that may be examples, such as JSON in a code fence, even if they are surrounded by text.',
    flagField,
  ),
  ...HELP,
  clients: about(
    'Different settings for certain clients, by the name in their User-Agent, such as claude-cli.',
    {
      expected: 'an object with settings by client',
      schema: { type: 'object', additionalProperties: fieldsSchema(HELP) },
      read: readClients,
    },
  ),
}

const FIELDS: Readonly<Record<keyof GatewaySettings, Field>> = {
  models: about('Models by the name that clients use. * handles all other names.', {
    expected: 'an object with models by name',
    schema: {
      type: 'object',
      additionalProperties: fieldsSchema(MODEL, { required: ['model'] }),
    },
    read: readModels,
  }),
  streamArguments: about(
    'Stream arguments while the model is writing them. Default: false, so calls are sent complete or not at all.',
    flagField,
  ),
}

/** The models behind the gateway. A cloned folder must not decide where requests are sent. */
export const gateway: SettingsKey<GatewaySettings> = {
  key: 'gateway',
  schema: fieldsSchema(FIELDS, {
    description: 'The models available to clients of the gateway, and their options.',
  }),
  scopes: OWN_SCOPES,
  read(item, wrong) {
    const found = readFields(item, 'gateway', FIELDS, wrong)
    // Each member was read with its own type.
    return found && ({ models: {}, ...found } as GatewaySettings)
  },
}

/** The settings of the gateway. Each model comes from the strongest scope that contains it. */
export function gatewaySettings(settings: {
  readonly values: readonly SettingValue[]
}): GatewaySettings {
  const all = settingValues(settings, gateway).map(({ value }) => value)
  const streamArguments = all.find((each) => each.streamArguments !== undefined)?.streamArguments
  return {
    models: Object.fromEntries([...all].reverse().flatMap(({ models }) => Object.entries(models))),
    streamArguments,
  }
}

function readModels(item: Item, wrong: Wrong): GatewaySettings['models'] | undefined {
  if (item.kind !== 'map') return undefined
  const models = new Map<string, GatewayModelSettings>()
  for (const { key, line, item: given } of item.entries) {
    const problem = models.has(key) ? 'the name is a duplicate' : nameProblem(key)
    if (problem !== undefined) {
      wrong(line, `the model ${show(key)}: ${problem}`)
      continue
    }
    const read = readFields(given, key, MODEL, wrong)
    if (!read) continue
    const model = read as Partial<GatewayModelSettings>
    if (model.protocol === 'native' && model.toolsIn === 'prompt')
      wrong(line, `the model ${show(key)}: "toolsIn": "prompt" cannot be combined with "native"`)
    else if (model.model !== undefined) models.set(key, { ...model, model: model.model })
    else if (given.kind === 'map' && !given.entries.some((entry) => entry.key === 'model'))
      wrong(line, `the model ${show(key)}: "model" is missing. Use one such as "ollama/qwen3:8b"`)
  }
  return Object.fromEntries(models)
}

function readClients(item: Item, wrong: Wrong): GatewayModelSettings['clients'] | undefined {
  if (item.kind !== 'map') return undefined
  const read = item.entries.flatMap(({ key, item: given }) => {
    const help = readFields(given, key, HELP, wrong)
    return help ? [[key, help as GatewayHelpSettings] as const] : []
  })
  return Object.fromEntries(read)
}

/** Names appear unchanged in lists, logs and requests. */
function nameProblem(name: string): string | undefined {
  return /^[^\s\p{C}](?:[^\p{C}]{0,198}[^\s\p{C}])?$/u.test(name)
    ? undefined
    : 'the name must consist of 1 to 200 visible characters'
}

function readReference(item: Item, wrong: Wrong): string | undefined {
  const value = item.kind === 'plain' ? item.value : undefined
  if (typeof value !== 'string') return undefined
  if (value === DEMO || value === 'default') return value
  try {
    return parseReference(value, { kinds: workspaceModelKinds })
  } catch (error) {
    // The message describes the problem with the reference.
    wrong(item.line, error instanceof Error ? error.message : describe(item))
    return undefined
  }
}

function readBody(item: Item, wrong: Wrong): Readonly<Record<string, unknown>> | undefined {
  if (item.kind !== 'map') return undefined
  const own = item.entries.find(({ key }) => OWN_FIELDS.includes(key))
  if (own) {
    wrong(own.line, `"body" cannot set ${show(own.key)}, because every request sets it`)
    return undefined
  }
  return jsonOf(item) as Readonly<Record<string, unknown>>
}

const OWN_FIELDS = ['model', 'messages', 'stream', 'tools']

/** A value of the settings as JSON. */
function jsonOf(item: Item): unknown {
  if (item.kind === 'plain') return item.value
  if (item.kind === 'list') return item.items.map(jsonOf)
  // Unlike assignments, this also makes `__proto__` an own property.
  return Object.fromEntries(item.entries.map(({ key, item: value }) => [key, jsonOf(value)]))
}
