import { judgeFetch, judgeHop, MOST_HOPS, type Part, type Rule, ToolError } from '@toolglot/agent'
import type { Web, WebRequest, WebResponse } from '../host/web.ts'
import { isSameHost, pageAddress } from './page-address.ts'

/** A page; or where else it is, on a host that was not decided on. */
export type Followed =
  | { readonly url: URL; readonly response: WebResponse }
  | { readonly url: URL; readonly status: number; readonly redirect: URL }

export interface FollowOptions extends Omit<WebRequest, 'permit'> {
  readonly rules: readonly Rule[]
}

/**
 * Fetches a page that was decided on, and follows it as long as it stays on its host. Every hop is decided on again, with
 * the addresses it leads to: what rules deny and what is not on the open internet is refused. What they ask about was
 * asked for this host.
 */
export async function follow(
  web: Web,
  start: URL,
  { rules, ...request }: FollowOptions,
): Promise<Followed> {
  let url = start
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    refuseDenied(judge(url, rules), url)
    const response = await web.request(url, {
      ...request,
      permit: ({ addresses, own }) =>
        refuseDenied(judgeHop(url.href, addresses, rules, { hop, own }), url),
    })
    if (!REDIRECTS.has(response.status)) return { url, response }
    const next = nextOf(url, response)
    if (!isSameHost(url, next)) {
      refuseDenied(judge(next, rules), next, url)
      return { url, status: response.status, redirect: next }
    }
    url = next
  }
  throw new ToolError(
    'execution_failed',
    `${start.href} was redirected more than ${MOST_HOPS} times. Use another address.`,
    { code: 'too_many_redirects' },
  )
}

/** What rules say of a page before anything is looked up. */
export function judge(url: URL, rules: readonly Rule[]): Part {
  return judgeFetch(rules)({ kind: 'fetch', url: url.href, because: 'WebFetch' })
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function nextOf(url: URL, { status, headers: { location } }: WebResponse): URL {
  if (location === undefined || !URL.canParse(location, url.href))
    throw new ToolError(
      'execution_failed',
      `${url.href} answers ${status}, which leads elsewhere, and does not say where. Use another address.`,
      { code: 'broken_redirect', status },
    )
  const next = new URL(location, url)
  try {
    return pageAddress(next.href)
  } catch (error) {
    // The page is to blame for the address, not the caller.
    throw new ToolError(
      'permission_denied',
      `${url.href} leads to an address that is not fetched. ${(error as Error).message}`,
      { code: 'refused_redirect', status },
      { cause: error },
    )
  }
}

function refuseDenied({ verdict, what, why, rule }: Part, url: URL, from?: URL): void {
  if (verdict !== 'deny') return
  const led = from ? ` ${from.href} leads there: use another source.` : ''
  throw new ToolError('permission_denied', `Not allowed: ${what}: ${why}.${led}`, {
    code: rule ? 'denied_by_rule' : 'closed_address',
    url: url.href,
    ...(rule && { matched_rule: rule.text }),
  })
}
