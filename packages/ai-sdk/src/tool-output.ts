import type {
  LanguageModelV3FilePart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import type { CallResult } from '@toolglot/agent'
import { isImageUrl } from '@toolglot/agent/internal'

/** The output of a tool, and the files in it. */
type Output = Omit<CallResult, 'call'> & { readonly files: readonly LanguageModelV3FilePart[] }

type ContentItem = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

/** Version 4 of the specification has this instead of version 3's kinds of files. */
type FileItem = { readonly type: 'file' } & Pick<LanguageModelV3FilePart, 'data' | 'mediaType'>

/** Converts the output of a tool. */
export function outputOf(given: LanguageModelV3ToolResultPart['output']): Output {
  switch (given.type) {
    case 'text':
      return { output: given.value, files: [] }
    case 'json':
      return { output: JSON.stringify(given.value), data: given.value, files: [] }
    case 'error-text':
      return { output: given.value, failed: true, files: [] }
    case 'error-json':
      return { output: JSON.stringify(given.value), data: given.value, failed: true, files: [] }
    case 'execution-denied':
      return {
        // A reason alone could be taken for what the tool returned.
        output: given.reason === undefined ? DENIED : `${DENIED} The reason: ${given.reason}`,
        failed: true,
        status: 'denied',
        files: [],
      }
    case 'content': {
      const items = given.value.map(itemOf)
      const texts = items.flatMap((item) => (typeof item === 'string' ? [item] : []))
      const files = items.flatMap((item) => (typeof item === 'string' ? [] : [item]))
      const note = files.length > 0 ? [`(${files.length} attached below)`] : []
      return { output: [...texts, ...note].join('\n'), files }
    }
  }
}

const DENIED = 'The user denied this call. It was not run.'

function itemOf(item: ContentItem | FileItem): string | LanguageModelV3FilePart {
  switch (item.type) {
    case 'text':
      return item.text
    case 'file':
    case 'file-data':
    case 'image-data':
      return { type: 'file', data: item.data, mediaType: item.mediaType }
    case 'image-url':
      // A tool may give any text.
      return isImageUrl(item.url)
        ? { type: 'file', data: new URL(item.url), mediaType: 'image/*' }
        : item.url
    case 'file-url':
      return item.url
    default:
      return `(${item.type}, which cannot be shown)`
  }
}
