import { modelKinds } from './kinds/index.ts'
import type { ModelKind, ReferencePlace } from './kinds/kind.ts'
import { namedModel } from './kinds/named-model.ts'

/** Which kinds of models can be named, and where a name was given. */
export interface ReferenceOptions extends ReferencePlace {
  /** Default: those that need nothing but the network. */
  readonly kinds?: readonly ModelKind[]
}

/**
 * Checks a model reference, such as `ollama/qwen3:8b`, and returns it as it is stored. Throws a TypeError that explains
 * what is wrong with it.
 */
export function parseReference(text: string, options: ReferenceOptions = {}): string {
  const given = text.trim()
  return kindOf(given, options.kinds).parse(given, options)
}

/** The kind of a model reference. Throws a TypeError if it is of none. */
export function kindOf(text: string, kinds: readonly ModelKind[] = modelKinds): ModelKind {
  const kind = kinds.find((each) => each.matches(text))
  if (kind) return kind
  namedModel(text)
  throw new TypeError(`There is no kind of model for ${text.slice(0, 80)}.`)
}
