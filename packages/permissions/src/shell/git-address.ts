const SSH_URL = /^(?:ssh|git\+ssh|ssh\+git):\/\/(?:[^/]*@)?(?<host>\[[^\]/]*\]|[^/:]+)/i
const SCP_LIKE = /^(?:[^/:]*@)?(?:\[(?<inside>[^\]/]+)\]|(?<host>[^/:]*)):/

/**
 * The host that git connects to with ssh: that of `ssh://me@host/path`, or of `me@host:path`. For git, a word is such an address
 * if it has a colon before its first slash: `./a:b` is a path. Undefined if it is another address, or no address.
 */
export function sshHostOf(word: string): string | undefined {
  const [url, scp] = [SSH_URL.exec(word)?.groups, SCP_LIKE.exec(word)?.groups]
  if (url) return url['host']
  if (!scp || /^[^:]*:\/\//.test(word)) return undefined
  const { inside, host } = scp
  if (inside === undefined) return host
  // In brackets, there may be a port after a name, and colons in an address.
  return /:.*:/.test(inside) ? `[${inside}]` : inside.replace(/:.*$/, '').replace(/^.*@/, '')
}
