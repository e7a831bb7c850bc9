import { readStored, writeStored } from '../../app/stored.ts'
import { isObject } from '../../schema/is-object.ts'

const PREFIX = 'toolglot-sandbox-draft '

/** Arguments that the address does not hold. */
export interface KeptDraft {
  readonly text: string
  /** What the address held instead: another one means other arguments. */
  readonly given: string | undefined
  readonly isFromLink: boolean
}

/** Arguments that this tab keeps while the page is loaded again. */
export function readDraft(key: string): KeptDraft | undefined {
  try {
    const value: unknown = JSON.parse(readStored(PREFIX + key, 'tab') ?? 'null')
    if (!isObject(value) || typeof value['text'] !== 'string') return undefined
    const { text, given, isFromLink } = value
    return {
      text,
      given: typeof given === 'string' ? given : undefined,
      isFromLink: isFromLink === true,
    }
  } catch {
    return undefined
  }
}

/** Keeps arguments until the tab is closed; undefined forgets them. Without room, they live as long as the page. */
export function keepDraft(key: string, draft: KeptDraft | undefined): void {
  writeStored(PREFIX + key, draft && JSON.stringify(draft), 'tab')
}
