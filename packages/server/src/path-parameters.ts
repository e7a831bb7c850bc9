import { HttpError } from './security/http-error.ts'

/** The segments of a URL that `:name` stands for in a path, decoded. Throws an HttpError if one of them is not text. */
export function pathParameters(path: string, url: string): Readonly<Record<string, string>> {
  const segments = new URL(url).pathname.split('/')
  return Object.fromEntries(
    path
      .split('/')
      .flatMap((name, at) =>
        name.startsWith(':') ? [[name.slice(1), decoded(segments[at] ?? '')]] : [],
      ),
  )
}

function decoded(segment: string): string {
  let text: string | undefined
  try {
    text = decodeURIComponent(segment)
  } catch {
    text = undefined
  }
  // oxlint-disable-next-line no-control-regex
  if (text !== undefined && !/[\u0000-\u001f\u007f]/.test(text)) return text
  throw new HttpError('invalid_target', 'Expected a path of UTF-8 without control characters.')
}
