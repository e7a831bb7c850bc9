import type { Model } from '../model.ts'
import type { ConnectOptions, ModelKind, ReferencePlace } from './kinds/kind.ts'
import { modelKinds } from './kinds/index.ts'
import { namedModel, closestName } from './kinds/named-model.ts'
import type { FoundModels } from './find-models.ts'
import { plainLine } from '../plain-line.ts'

/**
 * Connects to the model with a reference such as `ollama/qwen3:8b`, without sending it a request
 * yet.
 */
export async function connectModel(text: string, options: ConnectOptions): Promise<Model> {
  const reference = parseReference(text, options)
  const model = await kindOf(reference, options.kinds).connect(reference, options)
  // If the server does not report a size, use the one that the user set.
  const { contextTokens = options.context } = model
  return { ...model, contextTokens, reference }
}

/**
 * Checks that a model exists, as far as possible without sending it a request. Throws a ModelError
 * if it does not exist. Returns a description of what could not be checked, for people.
 */
export async function verifyModel(
  text: string,
  options: ConnectOptions,
): Promise<string | undefined> {
  const reference = parseReference(text, options)
  const kind = kindOf(reference, options.kinds)
  if (kind.verify) return kind.verify(reference, options)
  await kind.connect(reference, options)
  return undefined
}

/** The supported kinds of models, and the place of a reference. */
export interface ReferenceOptions extends ReferencePlace {
  /**
   * The running servers. Their models can be referenced without the server's name, even if the
   * model's name looks like a paid model's, such as `openai/gpt-oss-20b`.
   */
  readonly found?: Pick<FoundModels, 'servers'> | undefined
  /** The supported kinds of models. Default: those that require only the network. */
  readonly kinds?: readonly ModelKind[] | undefined
}

/**
 * Checks a model reference, such as `ollama/qwen3:8b`, and returns its stored form. Throws a TypeError that explains
 * the problem.
 */
export function parseReference(text: string, options: ReferenceOptions = {}): string {
  const given = text.trim()
  const { kinds = modelKinds, found } = options
  const meant = found ? (nameOn(found) ?? given) : given
  return kindOf(meant, kinds).parse(meant, options)

  function nameOn(running: Pick<FoundModels, 'servers'>): string | undefined {
    const kind = kinds.find((each) => each.matches(given))
    if (!kind) return resolveName(given, running)
    return kind.isPaid ? exactName(given, running) : undefined
  }
}

/** The kind of a model reference. Throws a TypeError if the reference matches no kind. */
function kindOf(text: string, kinds: readonly ModelKind[] = modelKinds): ModelKind {
  const kind = kinds.find((each) => each.matches(text))
  if (kind) return kind
  namedModel(text)
  throw new TypeError(
    `Unrecognized model: ${text.slice(0, 80)}. Use a reference such as ollama/NAME.`,
  )
}

/**
 * Resolves a bare model name on the running servers: `qwen3:8b`, or `qwen3` for `qwen3:latest`.
 * Returns undefined if no server has any models. Throws a TypeError if no server or several servers
 * have this model.
 */
function resolveName(text: string, { servers }: Pick<FoundModels, 'servers'>): string | undefined {
  const named = text.trim()
  const all = modelsOf(servers)
  if (all.length === 0) return undefined
  const known = exactName(named, { servers }) ?? exactName(`${named}:latest`, { servers })
  if (known !== undefined) return known
  const names = all.map(({ name }) => name)
  const close = closestName(named, names)
  const meant = close === undefined ? undefined : all.find(({ name }) => name === close)
  throw new TypeError(
    `No running server has a model named '${plainLine(named, 80)}'. ${meant ? `Did you mean ${meant.reference}?` : `Use one such as ${all[0]!.reference}. List all models with: toolglot models`}`,
  )
}

/**
 * The reference of the model with exactly this name on a running server, or undefined if no server
 * has it. Throws a TypeError if several servers do.
 */
function exactName(name: string, { servers }: Pick<FoundModels, 'servers'>): string | undefined {
  const found = modelsOf(servers).filter((each) => each.name === name)
  const [first, second] = found
  if (!second) return first?.reference
  throw new TypeError(
    `${found.length} servers have a model named '${plainLine(name, 80)}'. Choose one of ${found.map(({ reference }) => reference).join(', ')}`,
  )
}

function modelsOf(
  servers: FoundModels['servers'],
): readonly { readonly name: string; readonly reference: string }[] {
  return servers.flatMap(({ id, models }) =>
    models.map(({ name }) => ({ name, reference: `${id}/${name}` })),
  )
}
