import { type ChatMessage, collect, type Model, run } from '@toolglot/agent'
import type { Finish, Protocol, ProtocolId } from '@toolglot/core'
import type { IToolManager } from './tool-manager.ts'

/** Options for an LLM manager's request. */
export interface LLMCallOptions {
  readonly model?: string | undefined
  readonly temperature?: number | undefined
  /** Aborted when the reply is no longer needed. */
  readonly signal?: AbortSignal | undefined
}

/** Calls a model: text in, text out. */
export interface ILLMManager {
  call(prompt: string, options?: LLMCallOptions): Promise<string>
}

/** The options of an LLM manager. */
export interface LLMManagerOptions {
  /**
   * The manager of the tools. The model calls them until it has an answer, which `call` returns.
   */
  readonly toolManager?: Pick<Required<IToolManager>, 'callOptions'> | undefined
  /** The system prompt. `{{tools}}` in it is replaced with the description of the tools. */
  readonly system?: string | undefined
  /** The protocol of the model's calls. Default: `tool-call`. */
  readonly protocol?: Protocol | ProtocolId | undefined
}

/**
 * Calls models of `@toolglot/agent`. With a tool manager, it also runs the tools that they call.
 */
export class LLMManager implements ILLMManager {
  readonly #model: (name: string | undefined) => Model
  readonly #options: LLMManagerOptions

  /** Accepts a model, or a function that returns the model with a given name. */
  constructor(
    model: Model | ((name: string | undefined) => Model),
    options: LLMManagerOptions = {},
  ) {
    this.#model = typeof model === 'function' ? model : () => model
    this.#options = options
  }

  /**
   * Returns the model's reply or, with tools, its answer. Throws if the model gives none or it was
   * cut off.
   */
  async call(prompt: string, options: LLMCallOptions = {}): Promise<string> {
    const { toolManager, system = '', protocol = 'tool-call' } = this.#options
    const { signal = new AbortController().signal, temperature } = options
    const model = this.#model(options.model)
    const request = { signal, ...(temperature !== undefined && { temperature }) }
    if (toolManager) {
      const tools = toolManager.callOptions()
      const result = await collect(run({ ...tools, ...request, model, prompt, system, protocol }))
      if (result.reason === 'answer') return result.text
      throw new Error(result.error ?? `There is no answer: ${result.reason}.`)
    }
    const messages: ChatMessage[] = [{ role: 'user', content: prompt }]
    if (system !== '') messages.unshift({ role: 'system', content: system })
    let text = ''
    let finish: Finish = 'broken'
    for await (const chunk of model.reply({ ...request, messages })) {
      if (chunk.type === 'call') throw new Error(`${model.name} replied with a call, not text.`)
      if (chunk.type === 'text') text += chunk.delta
      if (chunk.type === 'finish') finish = chunk.finish
    }
    if (finish === 'stop' || finish === 'stop-string') return text
    throw new Error(`The reply of ${model.name} was cut off after ${text.length} characters.`)
  }
}
