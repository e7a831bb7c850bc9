import { modelKinds } from './kinds/index.ts'
import type { ModelKind, ReferencePlace } from './kinds/kind.ts'
import { namedModel } from './kinds/named-model.ts'
import type { FoundModels } from './find-models.ts'
import { exactName, resolveName } from './resolve-name.ts'

/** Which kinds of models can be named, and where a name was given. */
export interface ReferenceOptions extends ReferencePlace {
  /**
   * The servers that are running: one of their models may be named without its server, also if the name looks like that of a
   * paid one, as `openai/gpt-oss-20b` does.
   */
  readonly found?: Pick<FoundModels, 'servers'> | undefined
  /** Default: those that need nothing but the network. */
  readonly kinds?: readonly ModelKind[] | undefined
}

/**
 * Checks a model reference, such as `ollama/qwen3:8b`, and returns it as it is stored. Throws a TypeError that explains
 * what is wrong with it.
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

/** The kind of a model reference. Throws a TypeError if it is of none. */
export function kindOf(text: string, kinds: readonly ModelKind[] = modelKinds): ModelKind {
  const kind = kinds.find((each) => each.matches(text))
  if (kind) return kind
  namedModel(text)
  throw new TypeError(`There is no kind of model for ${text.slice(0, 80)}.`)
}
