import { ToolError } from '@toolglot/agent'
import { readUrl } from '@toolglot/permissions/internal'

/** Hosts as a caller names them, in one form. */
export function readDomains(names: readonly string[], argument: string): string[] {
  return names.map((name) => {
    const read = /[/?#@:]/.test(name) ? 'it is more than a host' : readUrl(`https://${name}/`)
    if (typeof read !== 'string') return read.host
    throw new ToolError(
      'invalid_input',
      `${argument}: expected hosts such as go.dev, got ${JSON.stringify(name.slice(0, 100))}: ${read}.`,
      { code: 'invalid_domain' },
    )
  })
}

/** Whether a host is one of these, or below one. */
export function isInDomains(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/** A query for engines that only know words: hosts are told by `site:`. */
export function withSites(
  query: string,
  {
    allowed,
    blocked,
  }: { readonly allowed: readonly string[]; readonly blocked: readonly string[] },
): string {
  const wanted = allowed.map((domain) => `site:${domain}`).join(' OR ')
  const sites = [
    allowed.length > 1 ? `(${wanted})` : wanted,
    ...blocked.map((domain) => `-site:${domain}`),
  ]
  return [query, ...sites].filter((part) => part !== '').join(' ')
}
