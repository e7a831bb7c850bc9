/** Whether the text of a link says itself which host it leads to: as its address, and nowhere else in it. */
export function saysHost(
  text: string,
  { protocol, host }: Pick<URL, 'protocol' | 'host'>,
): boolean {
  const said = text.trim().toLowerCase()
  const address = said.startsWith(`${protocol}//`) ? said.slice(protocol.length + 2) : said
  // What follows a host ends it. Anything else could make it the name of a user, or a part of another host.
  return address.startsWith(host) && /^(?:[/?#]|$)/.test(address.slice(host.length))
}
