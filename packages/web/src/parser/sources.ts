import type { Reply, ToolDefinition } from '@toolglot/core'
import { createContext, use, type ComponentType, type ReactNode } from 'react'
import type { SharedReply } from './share/shared-reply.ts'
import type { KnownProtocol, ReadOptions } from './worker/messages.ts'

/** The tabs of the Parser. */
export type ParserTab = 'reading' | 'compare' | 'draw'

/** The page's address. */
export interface ParserAddress {
  readonly tab: ParserTab
  /** After `#`. */
  readonly fragment: string
  readonly run?: string | undefined
  readonly turn?: number | undefined
  /** Switches to another tab. */
  readonly show: (tab: ParserTab) => void
  /** Removes the text from the address after it was changed. */
  readonly forgetText: () => void
}

/** An answer of the server, once it has arrived. */
export interface FromServer<Value> {
  readonly value: Value | undefined
  readonly error: string | undefined
}

/** The content of the frame around the Parser. */
export interface FrameProps {
  readonly actions: ReactNode
  readonly children: ReactNode
}

/** The environment of the Parser. Without a server, most of it is missing. */
export interface ParserSources {
  readonly startWorker: () => Worker
  readonly useAddress: () => ParserAddress
  /** The frame: the header of a view, or of a separate page. */
  readonly Frame: ComponentType<FrameProps>
  /** Builds a link to share from the part after `#`. */
  readonly linkTo: (fragment: string) => string
  readonly useTools?: () => FromServer<readonly ToolDefinition[]>
  /** The user's own protocols; undefined until known. */
  readonly useOwnProtocols?: () => readonly KnownProtocol[] | undefined
  /** Parses with one of the user's own protocols, whose code only the server runs. */
  readonly readElsewhere?: (
    text: string,
    options: ReadOptions,
    signal: AbortSignal,
  ) => Promise<Reply>
  /** The reply of a recorded turn. */
  readonly useRecorded?: (
    run: string | undefined,
    turn: number | undefined,
  ) => FromServer<SharedReply>
  /** A button that selects a turn of a run. */
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

/** The environment of the Parser; constant while it is shown. */
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

/** The worker's address as a trusted script URL. The policy returns this address for any input. */
export function trustedUrl(url: string): string {
  const types = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes
  policy ??= types?.createPolicy('toolglot-parser', { createScriptURL: () => url })
  return policy?.createScriptURL('') ?? url
}
