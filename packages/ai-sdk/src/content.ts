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
  for (const item of content)
    yield item.type === 'text' ? { type: 'text-delta', id: '', delta: item.text } : item
  yield { type: 'finish', finishReason, usage }
}

/** The content of a whole reply. */
export async function collectContent(
  parts: AsyncIterable<ReplyPart>,
): Promise<Pick<LanguageModelV3GenerateResult, 'content' | 'finishReason'>> {
  const content: LanguageModelV3Content[] = []
  let texts: string[] = []
  let finishReason: LanguageModelV3FinishReason = { unified: 'other', raw: undefined }
  for await (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        break
      case 'text-delta':
      case 'reasoning-delta':
        texts.push(part.delta)
        break
      case 'text-end':
      case 'reasoning-end':
        content.push({
          type: part.type === 'text-end' ? 'text' : 'reasoning',
          text: texts.join(''),
        })
        texts = []
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
