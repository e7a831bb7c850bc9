/** A name or an address as clients send it in `Host`, with or without a port, in lower case; undefined if it is not exactly one. */
export function hostName(text: string): string | undefined {
  const host = text.toLowerCase()
  if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?$/.test(host)) return undefined
  if (!URL.canParse(`http://${host}`)) return undefined
  const url = new URL(`http://${host}`)
  // Pages elsewhere can reach this machine by these: nobody else uses them as a name.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') return undefined
  // The default port would be left out of a URL's host.
  return url.host === host.replace(/:80$/, '') ? host : undefined
}

/** The origin of a page, such as `https://page.example.com`; undefined if it is not exactly one. */
export function originName(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin, protocol } = new URL(text)
  return origin === text && (protocol === 'https:' || protocol === 'http:') ? origin : undefined
}
