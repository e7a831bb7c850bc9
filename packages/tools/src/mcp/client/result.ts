import type { CallToolResult } from '@modelcontextprotocol/client'
import { ToolError } from '@toolglot/agent'
import type { ResultImage } from '../../read/read-result.ts'
import { wrapUntrusted } from '../../web/shown-text.ts'
import { cleanText } from './clean-text.ts'

/** The result of a server's tool. */
export interface McpResult {
  readonly text: string
  /** The structured content, if it is not too large. */
  readonly structured?: Readonly<Record<string, unknown>>
  readonly images?: readonly ResultImage[]
  /** The text was truncated. */
  readonly truncated?: true
  readonly untrusted: true
}

/** In characters; for an image, in characters of base64. */
const MAX_TEXT_LENGTH = 50_000
const MAX_IMAGE_LENGTH = 7_000_000
const MAX_IMAGES = 4
const MEDIA = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Converts the answer of a server. Throws if the server reports an error. */
export function resultOf(
  { content, structuredContent, isError }: CallToolResult,
  server: string,
): McpResult {
  const images: ResultImage[] = []
  const texts = content.map((block) => blockText(block, images)).filter((text) => text !== '')
  const structured = structuredContent as Record<string, unknown> | undefined
  const data = structured === undefined ? '' : JSON.stringify(structured)
  // Servers should also send structured data as text, but not all do.
  const whole = texts.length > 0 ? texts.join('\n\n') : data
  const text = cleanText(whole, MAX_TEXT_LENGTH)
  if (isError)
    throw new ToolError(
      'execution_failed',
      `The tool failed. Its server reports:\n${wrapUntrusted(text, nameOf(server))}`,
      { code: 'server_error' },
    )
  return {
    text,
    structured: structured && data.length <= MAX_TEXT_LENGTH ? structured : undefined,
    images: images.length > 0 ? images : undefined,
    ...(text.length < whole.length &&
      whole.length >= MAX_TEXT_LENGTH && { truncated: true as const }),
    untrusted: true,
  }
}

/** The text for the model. */
export function showResult({ text, images = [], truncated }: McpResult, server: string): string {
  return [
    wrapUntrusted(text, nameOf(server)),
    ...(truncated ? [`Only the first ${MAX_TEXT_LENGTH} characters are shown. Request less.`] : []),
    ...images.map(({ media_type, bytes }) => `[image: ${media_type}, ${bytes} bytes]`),
  ].join('\n')
}

function nameOf(server: string): string {
  return `MCP server ${server}`
}

type Block = CallToolResult['content'][number]

function blockText(block: Block, images: ResultImage[]): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image': {
      const { data, mimeType } = block
      const bytes = Math.floor((data.length * 3) / 4)
      if (!MEDIA.has(mimeType) || data.length > MAX_IMAGE_LENGTH || images.length >= MAX_IMAGES)
        return `[unsupported image: ${mimeType}, ${bytes} bytes]`
      images.push({ media_type: mimeType, data, bytes })
      return ''
    }
    case 'audio':
      return `[unsupported audio: ${block.mimeType}]`
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`
    case 'resource': {
      const { resource } = block
      return 'text' in resource
        ? `[${resource.uri}]\n${resource.text}`
        : `[unsupported resource: ${resource.uri}, ${resource.mimeType ?? 'binary'}]`
    }
  }
}
