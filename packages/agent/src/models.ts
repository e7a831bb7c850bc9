export type { Content, ContentPart } from './model/chat-message.ts'
export type { Grammar, ResponseFormat, ToolChoice } from './model/model.ts'
export {
  type AiSdkLanguageModel,
  aiSdkModel,
  type AiSdkOptions,
} from './model/ai-sdk/ai-sdk-model.ts'
export {
  connectModel,
  verifyModel,
  parseReference,
  type ReferenceOptions,
} from './model/find/connect-model.ts'
export type {
  ConnectOptions,
  ConnectProgress,
  ModelKind,
  ReferencePlace,
} from './model/find/kinds/kind.ts'
export { completionKind, type TemplateFiles } from './model/find/kinds/completion.ts'
export { modelKinds } from './model/find/kinds/index.ts'
export { type ModelChoice, chooseModel } from './model/find/choose-model.ts'
export {
  type FindModelsOptions,
  findModels,
  type FoundModels,
  type FoundKey,
  type FoundServer,
  type SavedModel,
} from './model/find/find-models.ts'
export type { FoundModel } from './model/find/local-server.ts'
export { ollamaModel, type OllamaOptions } from './model/ollama/ollama-model.ts'
export { openAiCompatible, type OpenAiOptions } from './model/open-ai/open-ai-compatible.ts'
export { protocolOf } from './model/protocol-of.ts'
