/** Decodes a body, in the encoding of its byte order mark, of the server or of the page itself; otherwise as UTF-8. */
export function decodeBody(body: Uint8Array, contentType = ''): string {
  const start = Buffer.from(body.subarray(0, 1024)).toString('latin1')
  const label =
    byteOrderMarkIn(start) ??
    labelIn(/charset\s{0,9}=\s{0,9}["']?([^\s"';]{1,40})/i, contentType) ??
    labelIn(/<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([^\s"'/>;]{1,40})/i, start) ??
    labelIn(/^<\?xml[^>]{0,100}?encoding\s{0,9}=\s{0,9}["']([^"']{1,40})["']/i, start)
  return (decoderIn(label) ?? new TextDecoder()).decode(body)
}

function byteOrderMarkIn(start: string): string | undefined {
  if (start.startsWith('\xef\xbb\xbf')) return 'utf-8'
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  return start.startsWith('\xfe\xff') ? 'utf-16be' : undefined
}

function labelIn(pattern: RegExp, text: string): string | undefined {
  return pattern.exec(text)?.[1]
}

function decoderIn(label = 'utf-8') {
  try {
    return new TextDecoder(label)
  } catch {
    // An unknown label.
    return undefined
  }
}
