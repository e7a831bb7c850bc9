import type { PTKMessage } from './ptk/types.ts'

/**
 * Stores a conversation between executions. Executors accept any object; without these methods,
 * nothing is stored.
 */
export interface IContextManager {
  /** The messages so far, without a system prompt that describes tools. */
  getHistory(): readonly PTKMessage[] | Promise<readonly PTKMessage[]>
  addMessage(message: PTKMessage): void | Promise<void>
}

/** Keeps a conversation in memory. */
export class ContextManager implements IContextManager {
  #messages: PTKMessage[]

  /** Starts with existing messages. */
  constructor(messages: readonly PTKMessage[] = []) {
    this.#messages = [...messages]
  }

  getHistory(): PTKMessage[] {
    return [...this.#messages]
  }

  addMessage(message: PTKMessage): void {
    this.#messages.push(message)
  }

  /** Clears the conversation. */
  clear(): void {
    this.#messages = []
  }
}
