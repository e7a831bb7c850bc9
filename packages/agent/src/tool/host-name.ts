/** Whether a text is the name or address of one host, as `URL` writes it: no port, no path, no wildcard. */
export function isHostName(text: string): boolean {
  if (text.length > 253 || !URL.canParse(`http://${text}`)) return false
  return new URL(`http://${text}`).hostname === text
}
