import { ToolError } from '@toolglot/agent'
import type { DecisionPart } from '@toolglot/permissions'
import { type HostLookup, type JudgePage, MAX_HOPS } from '@toolglot/permissions/internal'
import type { Web, WebRequest, WebResponse } from '../host/web.ts'
import { readPageAddress, isSameHost } from './page-address.ts'

/** A page, or a redirect to a host that was not part of the decision. */
type FollowResult =
  | { readonly url: URL; readonly response: WebResponse; readonly hops: readonly Hop[] }
  | { readonly url: URL; readonly status: number; readonly redirect: URL }

/** A requested URL, and the addresses of its host. */
export interface Hop {
  readonly url: string
  readonly found: HostLookup
}

/** A request, and the function that decides on each of its hops. */
interface FollowOptions extends Omit<WebRequest, 'permit'> {
  readonly judge: JudgePage
}

/**
 * Fetches a permitted page and follows redirects on the same host. Every hop is checked again with
 * the addresses of its host: URLs denied by rules and non-public addresses are refused. Approvals
 * were given for this host, so there are no new ones.
 */
export async function followRedirects(
  web: Web,
  start: URL,
  { judge, ...request }: FollowOptions,
): Promise<FollowResult> {
  const hops: Hop[] = []
  let url = start
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    refuseDenied(judge(url.href), url)
    const response = await web.request(url, {
      ...request,
      permit: ({ addresses, own }) => {
        const found = { addresses, own, hop }
        refuseDenied(judge(url.href, found), url)
        hops.push({ url: url.href, found })
      },
    })
    if (!REDIRECTS.has(response.status)) return { url, response, hops }
    const next = redirectTarget(url, response)
    if (!isSameHost(url, next)) {
      refuseDenied(judge(next.href), next, url)
      return { url, status: response.status, redirect: next }
    }
    url = next
  }
  throw new ToolError(
    'execution_failed',
    `${start.href} was redirected more than ${MAX_HOPS} times. Use another URL.`,
    { code: 'too_many_redirects' },
  )
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function redirectTarget(url: URL, { status, headers: { location } }: WebResponse): URL {
  if (location === undefined || !URL.canParse(location, url.href))
    throw new ToolError(
      'execution_failed',
      `${url.href} returned status ${status}, a redirect without a target. Use another URL.`,
      { code: 'broken_redirect', status },
    )
  const next = new URL(location, url)
  try {
    return readPageAddress(next.href)
  } catch (error) {
    // The URL was chosen by the page rather than the caller.
    throw new ToolError(
      'permission_denied',
      `${url.href} redirects to a URL that is not allowed. ${(error as Error).message}`,
      { code: 'refused_redirect', status },
      { cause: error },
    )
  }
}

function refuseDenied({ verdict, what, why, rule }: DecisionPart, url: URL, from?: URL): void {
  if (verdict !== 'deny') return
  const led = from ? ` ${from.href} redirects there. Use another source.` : ''
  throw new ToolError('permission_denied', `Not allowed: ${what}: ${why}.${led}`, {
    code: rule ? 'denied_by_rule' : 'closed_address',
    url: url.href,
    matched_rule: rule?.text,
  })
}
