import type { Reply, ToolDefinition } from '@toolglot/core'
import { createContext, use, type ComponentType, type ReactNode } from 'react'
import type { SharedReply } from './share/shared-reply.ts'
import type { KnownProtocol, ReadOptions } from './worker/messages.ts'

/** Which part of the Parser is shown. */
export type ParserTab = 'reading' | 'compare' | 'draw'

/** The page's address. */
export interface ParserAddress {
  readonly tab: ParserTab
  /** After `#`. */
  readonly fragment: string
  readonly run?: string | undefined
  readonly turn?: number | undefined
  /** Goes to another tab. */
  readonly show: (tab: ParserTab) => void
  /** The text is no longer the one that the address names. */
  readonly forgetText: () => void
}

/** An answer of the server, once it is there. */
export interface FromServer<Value> {
  readonly value: Value | undefined
  readonly error: string | undefined
}

/** The content of the frame around the Parser. */
export interface FrameProps {
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** Where the Parser gets things from. Without a server, most of it is missing. */
export interface ParserSources {
  readonly startWorker: () => Worker
  readonly useAddress: () => ParserAddress
  /** Its frame: the header of a view, or of a page of its own. */
  readonly Frame: ComponentType<FrameProps>
  /** An address for others, given the part after `#`. */
  readonly linkTo: (fragment: string) => string
  readonly useTools?: () => FromServer<readonly ToolDefinition[]>
  /** The user's own protocols; undefined until they are known. */
  readonly useOwnProtocols?: () => readonly KnownProtocol[] | undefined
  /** Reads with a protocol that is code of the user's, which only the server runs. */
  readonly readElsewhere?: (
    text: string,
    options: ReadOptions,
    signal: AbortSignal,
  ) => Promise<Reply>
  /** The reply of a turn of a run. */
  readonly useRecorded?: (
    run: string | undefined,
    turn: number | undefined,
  ) => FromServer<SharedReply>
  /** Lets somebody choose a turn of a run. */
  readonly RunButton?: ComponentType
}

const NOTHING: FromServer<never> = { value: undefined, error: undefined }
const NONE: readonly never[] = []

/** The answers of an absent server. */
export const absent = {
  useTools: (): FromServer<never> => NOTHING,
  useOwnProtocols: (): readonly never[] => NONE,
  useRecorded: (): FromServer<never> => NOTHING,
} as const

export const SourcesContext = createContext<ParserSources | undefined>(undefined)

/** Where the Parser gets things from; the same ones as long as it is shown. */
export function useSources(): ParserSources {
  return use(SourcesContext)!
}

/** The API of browsers with Trusted Types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(given: string): string },
  ): { createScriptURL(given: string): string }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** The address of the worker, marked as trusted. The policy returns only this address, for any input. */
export function trustedUrl(url: string): string {
  const types = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes
  policy ??= types?.createPolicy('toolglot-parser', { createScriptURL: () => url })
  return policy?.createScriptURL('') ?? url
}
