import type { PermissionMode } from '@toolglot/permissions'
import type { ApiAnswer } from '@toolglot/server/client'

/** The user's choices for a chat. Missing ones come from the run, the settings or the server. */
export interface Choices {
  readonly model?: string
  readonly protocol?: string
  readonly mode?: PermissionMode
}

/** The modes, most common first. */
export const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk']

/** The maximum number of remembered folders. */
const MAX_FOLDERS = 50

/** The stored choices for new chats in a folder. */
export function readChoices(stored: string | undefined, folder: string): Choices {
  const [, found = {}] = entriesOf(stored).findLast(([each]) => each === folder) ?? []
  const { model, protocol, mode } = found
  return {
    model: typeof model === 'string' ? model : undefined,
    protocol: typeof protocol === 'string' ? protocol : undefined,
    ...(MODES.includes(mode as PermissionMode) && { mode: mode as PermissionMode }),
  }
}

/** The stored text, updated with the choices for new chats in a folder. */
export function writeChoices(stored: string | undefined, folder: string, choices: Choices): string {
  const others = entriesOf(stored).filter(([each]) => each !== folder)
  const { model, ...rest } = choices
  const kept = model !== undefined && mayHoldKey(model) ? rest : choices
  // An object would order numeric names first.
  return JSON.stringify([...others, [folder, kept]].slice(-MAX_FOLDERS))
}

/** True if the address of a model may contain a key: a name before the host, or a query. */
function mayHoldKey(model: string): boolean {
  return /^https?:/i.test(model) && /[@?]/.test(model.split('#', 1)[0]!)
}

type Entry = readonly [folder: string, choices: Readonly<Record<string, unknown>>]

/** Stored data may have been changed by anyone, so it is validated. */
function entriesOf(stored: string | undefined): readonly Entry[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value)) return false
  const [folder, choices] = value as readonly unknown[]
  return typeof folder === 'string' && typeof choices === 'object' && choices !== null
}

/** The models available for a chat. */
export type ModelList = ApiAnswer<'GET /api/models'>
/** A model on a server of this machine. */
export type ServerModel = ModelList['servers'][number]['models'][number]

/** The reference of the built-in script. */
export const SCRIPT = 'script'

/**
 * The name of a model without its server: `qwen3:8b` for `ollama/qwen3:8b` and for
 * `http://127.0.0.1:8080/v1#qwen3:8b`.
 */
export function shortName(reference: string): string {
  const hash = reference.indexOf('#')
  if (hash >= 0 && hash < reference.length - 1) return reference.slice(hash + 1)
  if (/^https?:/i.test(reference)) return reference
  const slash = reference.indexOf('/')
  return slash >= 0 && slash < reference.length - 1 ? reference.slice(slash + 1) : reference
}

/** Finds a model on this machine by its reference. */
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
