// Folder: The messages sent to a model: instructions, mentions, history, compaction.
export type { Content } from '../model/chat-message.ts'
export {
  printFileBlock,
  type InstructionFile,
  type InstructionOptions,
  type Instructions,
  printInstructions,
} from './instructions.ts'
export { compact, type Compacted, type CompactOptions } from './compact.ts'
export { type TokenCount, type TokenCounter, createTokenCounter } from '../model/token-counter.ts'
export type { ChatRendering } from './chat-rendering.ts'
export { foldConversation } from './fold-conversation.ts'
export { renderChat, type RenderOptions } from './render-chat.ts'
export { addMentions, type PromptWithMentions, type MentionOptions } from './mentions.ts'
export { estimateTokens } from '../model/estimate-tokens.ts'
