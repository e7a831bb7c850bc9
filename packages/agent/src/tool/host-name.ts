/** Whether a text is the name or address of one host, as `URL` writes it: no port, no path, no wildcard. */
export function isHostName(text: string): boolean {
  if (text.length > 253 || !URL.canParse(`http://${text}`)) return false
  // `URL` takes `*.com` for a name, which a proxy takes for a pattern.
  const isName = text.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  return (isName || text.startsWith('[')) && new URL(`http://${text}`).hostname === text
}
