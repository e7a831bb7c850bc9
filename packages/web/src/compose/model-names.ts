import type { ApiAnswer } from '@toolglot/server/client'

/** The models that can be used. */
export type ModelList = ApiAnswer<'GET /api/models'>
/** A model on a server of this machine. */
export type ServerModel = ModelList['servers'][number]['models'][number]

/** How the built-in script is named. */
export const SCRIPT = 'script'

/** The name of a model without where it is: `qwen3:8b` of `ollama/qwen3:8b` and of `http://127.0.0.1:8080/v1#qwen3:8b`. */
export function shortName(reference: string): string {
  const hash = reference.indexOf('#')
  if (hash >= 0 && hash < reference.length - 1) return reference.slice(hash + 1)
  if (/^https?:/i.test(reference)) return reference
  const slash = reference.indexOf('/')
  return slash >= 0 && slash < reference.length - 1 ? reference.slice(slash + 1) : reference
}

/** A model that was found on this machine, by its name in requests. */
export function findModel(
  list: Pick<ModelList, 'servers'> | undefined,
  reference: string | undefined,
): ServerModel | undefined {
  for (const { models } of list?.servers ?? []) {
    const found = models.find((each) => each.reference === reference)
    if (found) return found
  }
  return undefined
}
