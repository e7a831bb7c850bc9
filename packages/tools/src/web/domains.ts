import { ToolError } from '@toolglot/agent'
import { readUrl } from '@toolglot/permissions/internal'

/** Parses and normalizes a list of host names. */
export function readDomains(names: readonly string[], argument: string): string[] {
  return names.map((name) => {
    const read = /[/?#@:]/.test(name) ? 'is not just a host name' : readUrl(`https://${name}/`)
    if (typeof read !== 'string') return read.host
    throw new ToolError(
      'invalid_input',
      `${argument}: ${JSON.stringify(name.slice(0, 100))} ${read}. Use hosts such as go.dev.`,
      { code: 'invalid_domain' },
    )
  })
}

/** True if a host is one of these domains or a subdomain. */
export function isInDomains(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}

/** Adds domains to a query as `site:` terms, for engines without a parameter for them. */
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
