import type { Content } from './content.ts'

/** A message in the form that is sent to a model. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: Content }
  | {
      readonly role: 'assistant'
      readonly content: string
      /** Calls made through native function calling. */
      readonly calls?: readonly MessageCall[]
    }
  /** With `call`, the result of the native call with that id. */
  | { readonly role: 'tool'; readonly content: string; readonly call?: string }

/** A call that the model made. */
export interface MessageCall {
  readonly id: string
  /** The model itself gave the call this id. */
  readonly ownId?: true
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}
