export { compact, type Compacted, type CompactOptions } from './compact.ts'
export { type Count, type Counter, createCounter } from './counter.ts'
export type { Dialect } from './dialect.ts'
export { drawChat, type DrawOptions } from './draw-chat.ts'
export {
  type InstructionFile,
  type InstructionOptions,
  type Instructions,
  printInstructions,
} from './instructions.ts'
export { addMentions, type Mentioned, type MentionOptions } from './mentions.ts'
export { estimateTokens } from './tokens.ts'
