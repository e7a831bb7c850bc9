import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
} from '@ai-sdk/provider'
import type { ReplyPart } from './reply-parts.ts'

/** A whole reply as the parts of a stream. What is not text is the same in both. */
export async function* contentParts({
  content,
  finishReason,
  usage,
}: LanguageModelV3GenerateResult): AsyncGenerator<ReplyPart, void, void> {
  for (const item of content) {
    if (item.type === 'text') {
      yield { type: 'text-start', id: '' }
      yield { type: 'text-delta', id: '', delta: item.text }
      yield { type: 'text-end', id: '' }
    } else yield item
  }
  yield { type: 'finish', finishReason, usage }
}

/** The content of a whole reply. */
export async function collectContent(
  parts: AsyncIterable<ReplyPart>,
): Promise<Pick<LanguageModelV3GenerateResult, 'content' | 'finishReason'>> {
  const content: LanguageModelV3Content[] = []
  /** The text or reasoning that is open. Its place is where it began. */
  let block = { type: 'text' as 'text' | 'reasoning', text: '' }
  let finishReason: LanguageModelV3FinishReason = { unified: 'other', raw: undefined }
  for await (const part of parts) {
    switch (part.type) {
      case 'text-end':
      case 'reasoning-end':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        break
      case 'text-start':
      case 'reasoning-start':
        block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' }
        content.push(block)
        break
      case 'text-delta':
      case 'reasoning-delta':
        block.text += part.delta
        break
      case 'finish':
        ;({ finishReason } = part)
        break
      default:
        content.push(part as LanguageModelV3Content)
    }
  }
  return { content, finishReason }
}
