import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDomainPattern } from './url.ts'

test.each([
  ['github.com', /"domain:"/],
  ['domain:', /no host after/],
  ['domain:https://github.com/x', /without "https/],
  ['domain:github.com/x', /without a path/],
  ['domain:huggingface.co/team/*', /without a path/],
  ['domain:user@github.com', /user/],
  ['domain:github.com:8080', /port/],
  ['domain:github.com:443', /port/],
  ['domain:git hub.com', /host/],
  ['domain:git\u200bhub.com', /host/],
  ['domain:a..b', /not a valid host/],
  ['domain:10.*', /cannot have wildcards/],
  ['domain:**.example.com', /"\*\*"/],
  ['domain:*..com', /empty/],
  ['domain:a[b]*.com', /not a valid part/],
  ['domain:*.a b.com', /host/],
])('%s is invalid: %s', (pattern, problem) => {
  expect(readDomainPattern(pattern)).toMatch(problem)
})

test.each([
  ['domain:GitHub.com.', 'github.com'],
  ['domain:127.1', '127.0.0.1'],
  ['domain:[::1]', '::1'],
  ['domain:bücher.example', 'xn--bcher-kva.example'],
])('%s has the host %s', (pattern, host) => {
  expect(readDomainPattern(pattern)).toMatchObject({ host })
})

test('never throws for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(['string', 'object']).toContain(typeof readDomainPattern(`domain:${text}`))
    }),
  )
})
