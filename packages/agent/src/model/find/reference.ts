import { modelKinds } from './kinds/index.ts'
import type { ModelKind, ReferencePlace } from './kinds/kind.ts'
import { namedModel } from './kinds/named-model.ts'
import type { FoundModels } from './find-models.ts'
import { resolveName } from './resolve-name.ts'

/** Which kinds of models can be named, and where a name was given. */
export interface ReferenceOptions extends ReferencePlace {
  /** The servers that are running: one of their models may be named without its server. */
  readonly found?: Pick<FoundModels, 'servers'>
  /** Default: those that need nothing but the network. */
  readonly kinds?: readonly ModelKind[]
}

/**
 * Checks a model reference, such as `ollama/qwen3:8b`, and returns it as it is stored. Throws a TypeError that explains
 * what is wrong with it.
 */
export function parseReference(text: string, options: ReferenceOptions = {}): string {
  const given = text.trim()
  const { kinds = modelKinds, found } = options
  const isNamed = kinds.some((kind) => kind.matches(given))
  const meant = isNamed || !found ? given : (resolveName(given, found) ?? given)
  return kindOf(meant, kinds).parse(meant, options)
}

/** The kind of a model reference. Throws a TypeError if it is of none. */
export function kindOf(text: string, kinds: readonly ModelKind[] = modelKinds): ModelKind {
  const kind = kinds.find((each) => each.matches(text))
  if (kind) return kind
  namedModel(text)
  throw new TypeError(`There is no kind of model for ${text.slice(0, 80)}.`)
}
