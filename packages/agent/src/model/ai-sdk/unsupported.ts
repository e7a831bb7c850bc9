import { asObject } from '../as-object.ts'
import type { ModelRequest } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { plainLine } from '../plain-line.ts'

/** The images of a request that are given by their address. */
export function imageAddresses({ messages }: ModelRequest): string[] {
  const urls: string[] = []
  // Every turn looks through the whole history.
  for (const { content } of messages) {
    if (typeof content === 'string') continue
    for (const part of content)
      if (part.type === 'image' && !/^data:/i.test(part.url)) urls.push(part.url)
  }
  return urls
}

/** Refuses addresses that a language model does not fetch itself: only the AI SDK's own functions would fetch them. */
export async function refuseUnsupportedUrls(
  model: { readonly modelId: string; readonly supportedUrls?: unknown },
  urls: readonly string[],
): Promise<void> {
  const patterns = Object.entries(asObject(await model.supportedUrls) ?? {})
    .filter(([type]) => type === '*' || type === '*/*' || type.startsWith('image/'))
    .flatMap(([, list]) => (Array.isArray(list) ? (list as unknown[]) : []))
    .filter((pattern) => pattern instanceof RegExp)
  // The patterns are for URLs in lower case.
  if (urls.every((url) => patterns.some((pattern) => url.toLowerCase().search(pattern) >= 0)))
    return
  throw new ModelError(
    'refused',
    `${model.modelId} does not fetch images from their addresses: pass them as data:image/…;base64,… URLs.`,
  )
}

/** Refuses a requested setting that the language model warns it will ignore. */
export function refuseIgnoredSettings(
  warnings: unknown,
  request: ModelRequest,
  model: string,
): void {
  for (const warning of Array.isArray(warnings) ? (warnings as unknown[]) : []) {
    // In version 3 `feature`, in version 2 `setting`.
    const { type, feature, setting, details } = asObject(warning) ?? {}
    if (type !== 'unsupported' && type !== 'unsupported-setting') continue
    const ignored = SETTINGS.find((name) => name === (feature ?? setting))
    if (ignored === undefined || request[ignored] === undefined) continue
    const why = typeof details === 'string' && details !== '' ? ` (${plainLine(details)})` : ''
    throw new ModelError('refused', `${model} does not support \`${ignored}\`: leave it out${why}.`)
  }
}

const SETTINGS = ['toolChoice', 'responseFormat', 'topP', 'seed'] as const
