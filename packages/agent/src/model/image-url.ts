/** The media type and the base64 text of a `data:` URL with an image; undefined for any other URL. */
export function readImageData(
  url: string,
): { readonly mediaType: string; readonly data: string } | undefined {
  const [start, mediaType] = /^data:(image\/[\w.+-]{1,64});base64,/i.exec(url) ?? []
  if (start === undefined || mediaType === undefined) return undefined
  return { mediaType: mediaType.toLowerCase(), data: url.slice(start.length) }
}

/** Whether a model's server could read an image at this URL. */
export function isImageUrl(url: unknown): url is string {
  if (typeof url !== 'string') return false
  if (/^https?:\/\//i.test(url)) return URL.canParse(url)
  return Boolean(readImageData(url)?.data)
}
