/** A message as a model is sent it. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string
      /** Made by function calling of its own. */
      readonly calls?: readonly NativeCall[]
    }
  /** With `call`, the answer to a call that was made by function calling. */
  | { readonly role: 'tool'; readonly content: string; readonly call?: string }

export interface NativeCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}
