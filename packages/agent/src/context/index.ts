export { compact, type Compacted, type CompactOptions } from './compact.ts'
export { type TokenCount, type TokenCounter, createTokenCounter } from './counter.ts'
export type { ChatRendering } from './chat-rendering.ts'
export { drawChat, type DrawOptions } from './draw-chat.ts'
export {
  type InstructionFile,
  type InstructionOptions,
  type Instructions,
  printInstructions,
} from './instructions.ts'
export { addMentions, type Mentioned, type MentionOptions } from './mentions.ts'
export { estimateTokens } from './tokens.ts'
