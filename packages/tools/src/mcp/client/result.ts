import type { CallToolResult } from '@modelcontextprotocol/client'
import { ToolError } from '@toolglot/agent'
import type { Image } from '../../file/read-result.ts'
import { wrapUntrusted } from '../../web/wrap-untrusted.ts'
import { cleanText } from './clean-text.ts'

/** What a tool of a server gave. */
export interface McpResult {
  readonly text: string
  /** As the server says it, if that is not too much. */
  readonly structured?: Readonly<Record<string, unknown>>
  readonly images?: readonly Image[]
  /** Something is left out of the text. */
  readonly truncated?: true
  readonly untrusted: true
}

/** In characters; and of one picture, in characters of base64. */
const MAX_TEXT_LENGTH = 50_000
const MAX_IMAGE_LENGTH = 7_000_000
const MAX_IMAGES = 4
const MEDIA = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** What a server answered, as far as a model can be given it. A failure that the server tells is one here. */
export function resultOf(
  { content, structuredContent, isError }: CallToolResult,
  server: string,
): McpResult {
  const images: Image[] = []
  const texts = content.map((block) => blockText(block, images)).filter((text) => text !== '')
  const structured = structuredContent as Record<string, unknown> | undefined
  const data = structured === undefined ? '' : JSON.stringify(structured)
  // Whoever gives data gives it as text, too; those who do not are read all the same.
  const whole = texts.length > 0 ? texts.join('\n\n') : data
  const text = cleanText(whole, MAX_TEXT_LENGTH)
  if (isError)
    throw new ToolError(
      'execution_failed',
      `The tool failed, and its server says why:\n${wrapUntrusted(text, nameOf(server))}`,
      { code: 'server_error' },
    )
  return {
    text,
    ...(structured && data.length <= MAX_TEXT_LENGTH && { structured }),
    ...(images.length > 0 && { images }),
    ...(text.length < whole.length &&
      whole.length >= MAX_TEXT_LENGTH && { truncated: true as const }),
    untrusted: true,
  }
}

/** What the model reads. */
export function showResult({ text, images = [], truncated }: McpResult, server: string): string {
  return [
    wrapUntrusted(text, nameOf(server)),
    ...(truncated ? [`Only the first ${MAX_TEXT_LENGTH} characters are shown: ask for less.`] : []),
    ...images.map(({ media_type, bytes }) => `[a picture: ${media_type}, ${bytes} bytes]`),
  ].join('\n')
}

function nameOf(server: string): string {
  return `MCP server ${server}`
}

type Block = CallToolResult['content'][number]

function blockText(block: Block, images: Image[]): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image': {
      const { data, mimeType } = block
      const bytes = Math.floor((data.length * 3) / 4)
      if (!MEDIA.has(mimeType) || data.length > MAX_IMAGE_LENGTH || images.length >= MAX_IMAGES)
        return `[a picture that cannot be shown: ${mimeType}, ${bytes} bytes]`
      images.push({ media_type: mimeType, data, bytes })
      return ''
    }
    case 'audio':
      return `[a sound that cannot be played: ${block.mimeType}]`
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`
    case 'resource': {
      const { resource } = block
      return 'text' in resource
        ? `[${resource.uri}]\n${resource.text}`
        : `[${resource.uri}: ${resource.mimeType ?? 'bytes'} that cannot be shown]`
    }
  }
}
