import type { Model } from '../model.ts'
import type { ConnectOptions, ModelKind, ReferencePlace } from './kinds/kind.ts'
import { modelKinds } from './kinds/index.ts'
import { namedModel, closestName } from './kinds/named-model.ts'
import type { FoundModels } from './find-models.ts'
import { plainLine } from '../plain-line.ts'

/** Connects to the model of a reference such as `ollama/qwen3:8b`, without sending it anything yet. */
export async function connectModel(text: string, options: ConnectOptions): Promise<Model> {
  const reference = parseReference(text, options)
  const model = await kindOf(reference, options.kinds).connect(reference, options)
  // The person's setting applies if the server does not report a size.
  const { contextTokens = options.context } = model
  return { ...model, contextTokens, reference }
}

/**
 * Checks that the model of a reference exists, as far as possible without a request to it. Throws a ModelError if it
 * does not exist, and returns the part that could not be checked, for people.
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

/** The kinds of models that references can have, and the place of a reference. */
export interface ReferenceOptions extends ReferencePlace {
  /**
   * The running servers. Their models can be named without the server, even if the name looks like that of a paid
   * model, such as `openai/gpt-oss-20b`.
   */
  readonly found?: Pick<FoundModels, 'servers'> | undefined
  /** Default: those that need nothing but the network. */
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

/** The kind of a model reference. Throws a TypeError if there is none. */
function kindOf(text: string, kinds: readonly ModelKind[] = modelKinds): ModelKind {
  const kind = kinds.find((each) => each.matches(text))
  if (kind) return kind
  namedModel(text)
  throw new TypeError(`There is no kind of model for ${text.slice(0, 80)}.`)
}

/**
 * The reference for a bare name of a model on a running server: `qwen3:8b`, or `qwen3` for `qwen3:latest`. Undefined if
 * no server has models. Throws a TypeError if none or several have this one.
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
    `no running server has the model '${plainLine(named, 80)}': ${meant ? `did you mean ${meant.reference}?` : `name one such as ${all[0]!.reference}; toolglot models lists them`}`,
  )
}

/**
 * The reference of the model with exactly this name on a running server; undefined if there is none. Throws a TypeError
 * if several servers have it.
 */
function exactName(name: string, { servers }: Pick<FoundModels, 'servers'>): string | undefined {
  const found = modelsOf(servers).filter((each) => each.name === name)
  const [first, second] = found
  if (!second) return first?.reference
  throw new TypeError(
    `${found.length} servers have the model '${plainLine(name, 80)}': name one of ${found.map(({ reference }) => reference).join(', ')}`,
  )
}

function modelsOf(
  servers: FoundModels['servers'],
): readonly { readonly name: string; readonly reference: string }[] {
  return servers.flatMap(({ id, models }) =>
    models.map(({ name }) => ({ name, reference: `${id}/${name}` })),
  )
}
