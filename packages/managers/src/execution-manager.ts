import type { IPTKExecutor } from './ptk/executor.ts'
import type { PTKExecuteOptions, PTKExecuteResult } from './ptk/types.ts'

/** The kinds of steps. */
export const ActionType = {
  /** Sends a prompt to a model with tools. */
  PTK: 'PTK',
} as const
export type ActionType = (typeof ActionType)[keyof typeof ActionType]

/** A step of a plan. */
export interface Step {
  stepId: string
  actionType: ActionType
  config: {
    ptk: {
      /** The prompt. `{{name}}` and `{{name.field}}` are replaced with values of the context. */
      prompt: string
      tools?: PTKExecuteOptions['tools']
      /** Default: 5. */
      maxIterations?: number | undefined
    }
  }
}

/** Values for the prompts of steps, by name. */
export type ExecutionContext = Readonly<Record<string, unknown>>

/** The result of a step. */
export interface StepResult {
  stepId: string
  success: boolean
  output: string
  /** The reason why there is no output. */
  error?: string
  metadata: Pick<PTKExecuteResult, 'iterations' | 'toolCalls' | 'totalTokens'>
}

/** Executes steps. */
export class ExecutionManager {
  readonly #ptkManager: Pick<IPTKExecutor, 'execute'>

  constructor(ptkManager: Pick<IPTKExecutor, 'execute'>) {
    this.#ptkManager = ptkManager
  }

  /** Executes a step. Other options, such as callbacks, are passed on. */
  async executeStep(
    { stepId, actionType, config }: Step,
    context: ExecutionContext = {},
    options: PTKExecuteOptions = {},
  ): Promise<StepResult> {
    if (actionType !== ActionType.PTK)
      throw new TypeError(`Unsupported action type: ${String(actionType)}. Use PTK.`)
    const { prompt, tools, maxIterations } = config.ptk
    const result = await this.#ptkManager.execute(this.interpolatePrompt(prompt, context), {
      ...options,
      ...(tools && { tools }),
      maxIterations: maxIterations || 5,
    })
    const { success, content: output, error, iterations, toolCalls, totalTokens } = result
    const metadata = { iterations, toolCalls, ...(totalTokens !== undefined && { totalTokens }) }
    return { stepId, success, output, ...(error !== undefined && { error }), metadata }
  }

  /**
   * Replaces `{{name}}` with values of the context: strings unchanged, other values as JSON.
   * Unknown names remain.
   */
  interpolatePrompt(prompt: string, context: ExecutionContext): string {
    return prompt.replace(/\{\{\s*([\p{L}\p{M}\p{N}_.-]+)\s*\}\}/gu, (mark, path: string) => {
      let value: unknown = context
      for (const name of path.split('.'))
        value = Object.hasOwn(Object(value), name) ? Reflect.get(Object(value), name) : undefined
      if (typeof value === 'string') return value
      try {
        return JSON.stringify(value) ?? mark
      } catch {
        return String(value)
      }
    })
  }
}
