import { expect, test } from 'vitest'
import { foldRequests, type GatewayRequest, type GatewayRequests } from './fold-requests.ts'

const today = { since: 0, requests: 0, calls: 0, repairs: 0, errors: 0 }
function message(
  all: boolean,
  ...requests: readonly (readonly [string, string?])[]
): GatewayRequests {
  return {
    all,
    requests: requests.map(([id, outcome = 'open']) => ({ id, outcome }) as GatewayRequest),
    today: { ...today, inputTokens: 0, outputTokens: 0 },
  }
}
const shown = ({ requests }: GatewayRequests): string[] =>
  requests.map(({ id, outcome }) => `${id} ${outcome}`)

test('updates requests in place and puts new ones first', () => {
  const all = foldRequests(undefined, message(true, ['b'], ['a']))
  const next = foldRequests(all, message(false, ['c'], ['a', 'calls']))
  expect(shown(next)).toEqual(['c open', 'b open', 'a calls'])
  expect(next.requests[1]).toBe(all.requests[0])
})

test('a complete list replaces all requests, since the server may have restarted', () => {
  const all = foldRequests(undefined, message(true, ['b'], ['a']))
  expect(shown(foldRequests(all, message(true, ['x'])))).toEqual(['x open'])
})

test('keeps as many requests as the server', () => {
  let known = message(true)
  for (let at = 0; at < 500; at++) known = foldRequests(known, message(false, [`r${at}`]))
  expect(known.requests).toHaveLength(200)
  expect(known.requests[0]!.id).toBe('r499')
})
