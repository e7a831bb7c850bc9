/**
 * The parts of node-llama-cpp used here. Few people install it, so its own types are not available.
 */
export interface LlamaLibrary {
  getLlama(options: {
    readonly gpu: 'auto' | false
    readonly build: 'never'
    readonly skipDownload: true
    readonly progressLogs: false
    readonly maxThreads: number
    readonly logLevel: 'error'
    readonly logger: (level: string, message: string) => void
  }): Promise<Llama>
  readonly LlamaGrammarEvaluationState: new (options: {
    readonly model: LlamaModel
    readonly grammar: object
  }) => object
}

/** The library, set up for this machine. */
export interface Llama {
  readonly cpuMathCores: number
  loadModel(options: {
    readonly modelPath: string
    readonly onLoadProgress: (done: number) => void
  }): Promise<LlamaModel>
  createGrammar(options: { readonly grammar: string }): Promise<object>
  createGrammarForJsonSchema(schema: object): Promise<object>
  getGrammarFor(name: 'json'): Promise<object>
}

/** The weights and the tokenizer of a model. */
export interface LlamaModel {
  readonly trainContextSize: number
  readonly tokens: { readonly bos: Token | null; readonly shouldPrependBosToken: boolean }
  tokenize(text: string, specialTokens: boolean): Token[]
  detokenize(tokens: readonly Token[], specialTokens: boolean, lastTokens: readonly Token[]): string
  isEogToken(token: Token): boolean
  createContext(options: {
    readonly contextSize: { readonly max: number }
    readonly threads: number
    readonly batchSize: number
  }): Promise<LlamaContext>
}

/** The memory of a model. */
export interface LlamaContext {
  readonly contextSize: number
  getSequence(): LlamaSequence
}

/** A sequence of tokens that the model has read or written. */
export interface LlamaSequence {
  /** The number of its tokens. */
  readonly nextTokenIndex: number
  /** Drops all tokens after the common beginning. */
  adaptStateToTokens(tokens: Token[], allowShift: false): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: Token[]): Promise<void>
  evaluate(
    tokens: Token[],
    options: {
      readonly temperature: number
      readonly topP: number
      readonly topK: number
      readonly minP: number
      readonly seed: number
      readonly grammarEvaluationState?: object
      readonly yieldEogToken: true
    },
  ): AsyncGenerator<Token, void, void>
}

/** The index of a token in the model's vocabulary. */
export type Token = number
