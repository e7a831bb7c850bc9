import type { PermissionMode } from '@toolglot/permissions'
import type { RunStart } from '@toolglot/react/view'
import { useApi } from '../app/use-api.ts'
import { type Choices, findModel, type ModelList, SCRIPT, type ServerModel } from './choices.ts'

/** The model and the protocol for the next message. */
export interface Selected {
  /** The model's reference; undefined until the server has reported its default. */
  readonly model: string | undefined
  /** Its entry in the list, if it is on this machine. */
  readonly found: ServerModel | undefined
  /** True if a script answers instead of a model. */
  readonly isScript: boolean
  /** The id of a protocol, `native`, or `auto`. */
  readonly protocol: string
  /** The meaning of `auto` for the model, if it is known. */
  readonly auto: AutoProtocol | undefined
  readonly mode: PermissionMode
  /** All available models. */
  readonly models: ModelList | undefined
}

/** The protocol used if the user has chosen none, and the reason. */
export interface AutoProtocol {
  /** Its id, or `native`. */
  readonly protocol: string
  /** `guess`: the model's format is unknown, so the prompt describes the protocol. */
  readonly by: 'probe' | 'template' | 'name' | 'native' | 'guess' | 'script'
}

/**
 * The model and the protocol for the next message: the user's choice, else those of the run, else
 * the server's.
 */
export function useSelected(
  choices: Choices,
  facts: RunStart | undefined,
  folder: string | undefined,
): Selected {
  const where = facts?.folder ?? folder
  const query = where === undefined ? {} : { folder: where }
  const { data: models } = useApi('GET /api/models', { query }, { staleTime: 30_000 })
  const { data: settings } = useApi('GET /api/settings', { query }, { staleTime: 30_000 })
  const before = facts && (facts.modelReference ?? facts.model)
  const standard = models?.isDemo ? SCRIPT : models?.choice.reference
  const model = choices.model ?? before ?? standard
  const found = findModel(models, model)
  const isScript = model === SCRIPT
  const recorded = facts?.permissions
  return {
    model,
    found,
    isScript,
    protocol:
      choices.protocol ??
      (facts && choices.model === undefined ? (facts.protocol ?? 'native') : 'auto'),
    auto: autoOf(models, model),
    mode: choices.mode ?? recorded?.given?.mode ?? recorded?.mode ?? settings?.mode ?? 'default',
    models,
  }
}

function autoOf(
  models: ModelList | undefined,
  model: string | undefined,
): AutoProtocol | undefined {
  if (model === SCRIPT) return { protocol: 'hermes', by: 'script' }
  const found = findModel(models, model)
  const { reference, protocol, isGuess } = models?.choice ?? {}
  if (model !== undefined && model === reference && protocol !== undefined) {
    if (protocol === 'native') return { protocol, by: 'native' }
    return { protocol, by: isGuess ? 'guess' : (found?.protocolBy ?? 'name') }
  }
  if (found?.protocol === undefined) return undefined
  return { protocol: found.protocol, by: found.protocolBy ?? 'name' }
}
