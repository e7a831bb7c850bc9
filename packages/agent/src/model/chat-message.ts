/** A message as a model is sent it. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string
      /** Made by function calling of its own. */
      readonly calls?: readonly MessageCall[]
    }
  /** With `call`, the answer to a call that was made by function calling. */
  | { readonly role: 'tool'; readonly content: string; readonly call?: string }

/** A call in a message: what the model asked for. */
export interface MessageCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}
