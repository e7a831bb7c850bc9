import { describe, expect, test } from 'vitest'
import { type RuleTexts, rulesOf } from '../../test/rules.ts'
import { strictest, type Verdict } from '../rule/rule.ts'
import { notPublic } from './address.ts'
import { judgeHop } from './hop.ts'

const OPEN = '93.184.216.34'

/** The verdict for each list of addresses, as if returned by a DNS lookup. */
function lookUp(
  lookups: readonly string[][],
  texts: RuleTexts,
  url = 'https://page.test/',
): Verdict {
  const own = ['93.184.216.99', 'fe80::9']
  return strictest(
    lookups.map((addresses) => judgeHop(url, addresses, rulesOf(texts), { own }).verdict),
  )
}

describe('DNS lookups', () => {
  test.each<[string, string[][], Verdict]>([
    ['open', [[OPEN, '2606:2800:21f:cb07:6820:80da:af6b:8b2c']], 'allow'],
    ['web-109 the second answer differs', [[OPEN], ['127.0.0.1']], 'deny'],
    ['web-110 one of several', [[OPEN, '169.254.169.254']], 'deny'],
    ['web-111 IPv4 in IPv6', [['::ffff:169.254.169.254']], 'deny'],
    ['web-113 a cloud, not at the next cable', [['100.100.100.200']], 'deny'],
    ['web-114 this machine', [['93.184.216.99']], 'deny'],
    ['this machine, written otherwise', [['::ffff:93.184.216.99']], 'deny'],
    ['none', [[]], 'deny'],
    ['no address', [['page.test']], 'deny'],
  ])('%s', (_, lookups, verdict) => {
    expect(lookUp(lookups, { allow: ['WebFetch'] })).toBe(verdict)
  })

  test('a rule for the address allows it, but a rule for the host is not enough', () => {
    expect(lookUp([['10.0.0.7']], { allow: ['WebFetch(domain:page.test)'] })).toBe('deny')
    const both = { allow: ['WebFetch(domain:page.test)', 'WebFetch(domain:10.0.0.7)'] }
    expect(lookUp([['10.0.0.7']], both)).toBe('allow')
    expect(lookUp([['10.0.0.7', '10.0.0.8']], both)).toBe('deny')
    const local = { allow: ['WebFetch(domain:localhost)'] }
    expect(lookUp([['127.0.0.1', '::1']], local, 'http://localhost:3000/')).toBe('allow')
  })

  test('a URL that needs approval still needs it after the lookup', () => {
    expect(lookUp([[OPEN]], {})).toBe('ask')
  })
})

describe('redirects', () => {
  const texts = { allow: ['WebFetch(domain:github.com)'], deny: ['WebFetch(domain:bad.test)'] }
  const to = (...urls: string[]): Verdict =>
    strictest(
      ['https://github.com/r', ...urls].map(
        (url, hop) => judgeHop(url, [OPEN], rulesOf(texts), { hop }).verdict,
      ),
    )

  test.each<[string, string[], Verdict]>([
    ['web-115', ['http://169.254.169.254/'], 'deny'],
    ['web-116', ['https://bad.test/'], 'deny'],
    ['web-117', ['https://example.org/'], 'ask'],
    ['web-119', ['file:///etc/passwd'], 'deny'],
    ['web-120', ['gopher://127.0.0.1:6379/_X'], 'deny'],
    ['web-122', ['https://github.com/b'], 'allow'],
    ['web-123', ['https://github.com.other.test/'], 'ask'],
    ['ten', Array.from({ length: 10 }, (_, at) => `https://github.com/${at}`), 'allow'],
    ['web-121', Array.from({ length: 28 }, (_, at) => `https://github.com/${at}`), 'deny'],
  ])('%s to %s: %s', (_, urls, verdict) => {
    expect(to(...urls)).toBe(verdict)
  })
})

describe('addresses', () => {
  test.each([
    '127.255.255.254',
    '0.1.2.3',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.255.1',
    '169.254.1.1',
    '100.64.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.251',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::808:808',
    '2002:a00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2606:4700::5efe:7f00:1',
    '2606:4700::200:5efe:a00:1',
    'nonsense',
    '',
  ])('%s is not public', (address) => {
    expect(notPublic(address)).toEqual(expect.any(String))
  })

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s is open',
    (address) => {
      expect(notPublic(address)).toBeUndefined()
    },
  )
})
