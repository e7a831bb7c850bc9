import { PTKExecutor } from './executor.ts'
import { PTKFormatter, PTKParser } from './parser.ts'
import type {
  PTKExecuteOptions,
  PTKExecuteResult,
  PTKMessage,
  PTKResponse,
  PTKTool,
} from './types.ts'

/** Lets a text-only model call tools until it has an answer, in the protocol `ptk`. */
export class PTKManager extends PTKExecutor {
  readonly #formatter = new PTKFormatter()
  readonly #parser = new PTKParser()

  /** Equivalent to `execute`. */
  orchestrateToolCalling(prompt: string, options?: PTKExecuteOptions): Promise<PTKExecuteResult> {
    return this.execute(prompt, options)
  }

  /** The text that is sent to the model. */
  formatPrompt(
    prompt: string,
    tools: readonly PTKTool[],
    history: readonly PTKMessage[] = [],
  ): string {
    const system = this.#formatter.formatSystemPrompt(tools)
    const messages: PTKMessage[] = [...history, { role: 'user', content: prompt }]
    if (system !== '') messages.unshift({ role: 'system', content: system })
    return this.#formatter.formatConversation(messages)
  }

  /** Reads a reply. */
  parseResponse(response: string): PTKResponse {
    return this.#parser.parse(response)
  }
}

/** The interface of a manager. */
export type IPTKManager = Pick<
  PTKManager,
  'orchestrateToolCalling' | 'formatPrompt' | 'parseResponse'
>
