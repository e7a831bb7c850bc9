import type { PTKMessage } from './ptk/types.ts'

/** Keeps a conversation between executions. Executors take any object: without these methods, nothing is kept. */
export interface IContextManager {
  /** The messages so far, without a system prompt that describes tools. */
  getHistory(): readonly PTKMessage[] | Promise<readonly PTKMessage[]>
  addMessage(message: PTKMessage): void | Promise<void>
}

/** Keeps a conversation in memory. */
export class ContextManager implements IContextManager {
  #messages: PTKMessage[]

  /** Starts with messages that were kept elsewhere. */
  constructor(messages: readonly PTKMessage[] = []) {
    this.#messages = [...messages]
  }

  getHistory(): PTKMessage[] {
    return [...this.#messages]
  }

  addMessage(message: PTKMessage): void {
    this.#messages.push(message)
  }

  /** Forgets the conversation. */
  clear(): void {
    this.#messages = []
  }
}
