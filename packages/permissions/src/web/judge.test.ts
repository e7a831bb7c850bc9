import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RuleTexts, rulesOf } from '../../test/rules.ts'
import type { Verdict } from '../rule/rule.ts'
import { judgeFetch } from './judge.ts'

const judge = (url: string | undefined, texts: RuleTexts) =>
  judgeFetch(rulesOf(texts))({ kind: 'fetch', url, because: 'WebFetch' })

const ONE: RuleTexts = {
  allow: ['WebFetch(domain:github.com)'],
  deny: ['WebFetch(domain:bad.test)'],
}

describe('one host is allowed', () => {
  test.each<[string, string, Verdict]>([
    ['URL-01', 'https://github.com/x', 'allow'],
    ['URL-02', 'https://GitHub.COM/x', 'allow'],
    ['URL-03 web-003', 'https://github.com./x', 'allow'],
    ['URL-04 web-009', 'https://api.github.com/x', 'ask'],
    ['URL-09', 'https://github.com%2eother.test/', 'ask'],
    ['URL-10', 'https://github.com\\@other.test/', 'deny'],
    ['a backslash for a slash', 'https://github.com\\.other.test/', 'deny'],
    ['URL-11', 'https://other.test/#github.com', 'ask'],
    ['URL-12', 'https://other.test/?u=github.com', 'ask'],
    ['URL-13', 'https://other.test/github.com', 'ask'],
    ['URL-14', 'https://github。com/x', 'ask'],
    ['URL-16', 'https://xn--gthub-n4a.com/', 'ask'],
    ['URL-17', 'https://github.com\u0000.other.test/', 'deny'],
    ['URL-19 web-008', 'http://github.com/', 'allow'],
    ['URL-20', 'ftp://github.com/', 'deny'],
    ['URL-22', 'data:text/html,x', 'deny'],
    ['URL-23', 'javascript:alert(1)', 'deny'],
    ['URL-51', 'http://127.0.0.1.nip.io/', 'ask'],
    ['URL-52', 'http://1.1.1.1&@127.0.0.1/', 'deny'],
    ['web-004', 'https://github.com:443/x', 'allow'],
    ['web-006', 'https://github.com/bad.test', 'allow'],
    ['web-007', 'https://github.com/#@bad.test', 'allow'],
    ['web-011', 'https://github.com.other.test/', 'ask'],
    ['web-012', 'https://notgithub.com/', 'ask'],
    ['web-013', 'https://github.co/', 'ask'],
    ['web-016', 'https://github-com.example/', 'ask'],
    ['web-017', 'https://www.github.com/', 'ask'],
    ['web-019', 'https://gıthub.com/', 'ask'],
    ['web-020', 'https://github․com/', 'deny'],
    ['web-021', 'https://githuв.com/', 'ask'],
    ['web-023', 'https://example.org\\@github.com/', 'deny'],
    ['web-024', 'https://example.org%00.github.com/', 'deny'],
    ['web-025', 'https://example.org\u0000.github.com/', 'deny'],
    ['web-028', 'https://example.org,github.com/', 'ask'],
    ['web-029', 'https://[github.com]/', 'deny'],
    ['web-031', 'https://github.com:x@example.org/', 'deny'],
    ['web-032', 'https://github.com%40example.org/', 'deny'],
    ['web-035', '//example.org/', 'deny'],
    ['web-036', 'https://example.org?github.com', 'ask'],
    ['web-037', 'https://example.org#github.com', 'ask'],
    ['web-039', 'github.com', 'deny'],
    ['web-040', ' https://example.org/ https://github.com/', 'deny'],
    ['web-041', 'https://github.com\t.example.org/', 'deny'],
    ['web-043', `https://${'a'.repeat(300)}.github.com/`, 'deny'],
    ['another port', 'https://github.com:8443/', 'ask'],
    ['the port of the other', 'http://github.com:443/', 'ask'],
    ['an empty user', 'https://@github.com/', 'deny'],
    ['no slashes', 'https:github.com', 'deny'],
    ['three slashes', 'https:///github.com', 'deny'],
    ['two points', 'https://github.com../', 'deny'],
    ['a soft hyphen', 'https://git\u00adhub.com/', 'deny'],
    ['a long path', `https://github.com/${'x'.repeat(9000)}`, 'deny'],
  ])('%s %s: %s', (_, url, verdict) => {
    expect(judge(url, ONE).verdict).toBe(verdict)
  })
})

describe('one host is denied', () => {
  test.each([
    ['web-044', 'https://bad.test/'],
    ['web-045', 'https://BAD.test/'],
    ['web-046', 'https://bad.test./'],
    ['web-049', 'https://github.com@bad.test/'],
    ['web-050', 'https://bad.test\\.github.com/'],
    ['web-054', 'https://bad。test/'],
    ['web-055', 'https://%62ad.test/'],
    ['web-056', 'https://b\tad.test/'],
    ['web-058', 'https://x.bad.test/'],
    ['any port', 'https://bad.test:8443/'],
    ['plain', 'http://bad.test/'],
  ])('%s %s', (_, url) => {
    expect(
      judge(url, { allow: ['WebFetch', 'WebFetch(domain:bad.test)'], deny: ONE.deny! }).verdict,
    ).toBe('deny')
  })
})

describe('addresses outside the public internet are denied even if every page is allowed', () => {
  test.each([
    ['web-062', 'http://127.0.0.1:8080/'],
    ['URL-25', 'http://127.0.0.1/'],
    ['URL-26 web-101', 'http://localhost/'],
    ['URL-27 web-103', 'http://localhost./'],
    ['URL-29', 'http://127.1/'],
    ['URL-30', 'http://2130706433/'],
    ['URL-31 web-064', 'http://0x7f000001/'],
    ['URL-32 web-065', 'http://0177.0.0.1/'],
    ['web-066', 'http://0x7f.0x0.0x0.0x1/'],
    ['web-067', 'http://0x7f.1/'],
    ['web-069', 'http://127.0.0.1./'],
    ['web-070', 'http://127.000.000.001/'],
    ['web-071', 'http://0/'],
    ['web-072', 'http://0.0.0.0/'],
    ['URL-35', 'http://[::1]/'],
    ['URL-36', 'http://[::]/'],
    ['URL-37 web-076', 'http://[::ffff:127.0.0.1]/'],
    ['web-077', 'http://[::ffff:7f00:1]/'],
    ['URL-39 web-079', 'http://[64:ff9b::7f00:1]/'],
    ['URL-40 web-080', 'http://[2002:7f00:1::]/'],
    ['web-081', 'http://[::ffff:0:127.0.0.1]/'],
    ['URL-42', 'http://[fd00::1]/'],
    ['URL-43 web-082', 'http://169.254.169.254/latest/meta-data/'],
    ['web-083', 'http://2852039166/'],
    ['web-084', 'http://0xa9fea9fe/'],
    ['web-085', 'http://0251.0376.0251.0376/'],
    ['URL-56 web-086', 'http://[::ffff:a9fe:a9fe]/'],
    ['URL-45 web-088', 'http://metadata.google.internal/'],
    ['web-090', 'http://168.63.129.16/'],
    ['URL-47 web-092', 'http://10.0.0.1/'],
    ['URL-48 web-093', 'http://172.16.0.1/'],
    ['URL-49 web-094', 'http://192.168.0.1/'],
    ['URL-55', 'http://[::127.0.0.1]/'],
    ['web-098', 'http://[fe80::1%25eth0]/'],
    ['web-099', 'http://224.0.0.1/'],
    ['web-100', 'http://255.255.255.255/'],
    ['web-102', 'http://LOCALHOST/'],
    ['web-104', 'http://foo.localhost/'],
    ['web-105', 'http://①②⑦.⓪.⓪.①/'],
    ['URL-54 web-106', 'http://127。0。0。1/'],
    ['web-107', 'http://１２７.0.0.1/'],
    ['web-125', 'file://github.com/etc/passwd'],
    ['web-126', 'FILE:///etc/passwd'],
    ['web-127', 'ftp://github.com/x'],
    ['web-128', 'gopher://github.com/x'],
    ['web-130', 'javascript:alert(1)'],
    ['web-132', 'ws://github.com/'],
    ['web-134', 'jar:https://github.com!/x'],
    ['web-135', 'dict://github.com:11211/'],
    ['web-136', 'ldap://github.com/'],
    ['web-138', 'http+unix://%2Fvar%2Frun%2Fdocker.sock/x'],
    ['web-139', ''],
    ['web-141', 'https://github.com:99999/'],
    ['web-142', 'https://github.com:-1/'],
    ['web-143', 'https://[::1'],
  ])('%s %s', (_, url) => {
    expect(
      judge(url, { allow: ['WebFetch', 'WebFetch(domain:*)', 'WebFetch(domain:*.1)'] }).verdict,
    ).toBe('deny')
  })
})

describe('hosts that a rule covers', () => {
  test.each<[string, string, RuleTexts, Verdict]>([
    ['web-144', 'https://a.example.com/', { allow: ['WebFetch(domain:*.example.com)'] }, 'allow'],
    ['web-145', 'https://a.b.example.com/', { allow: ['WebFetch(domain:*.example.com)'] }, 'allow'],
    ['web-146', 'https://example.com/', { allow: ['WebFetch(domain:*.example.com)'] }, 'ask'],
    [
      'web-148',
      'https://x.example.com.other.test/',
      { allow: ['WebFetch(domain:*.example.com)'] },
      'ask',
    ],
    [
      'web-149',
      'https://[::1%25.example.com]/',
      { allow: ['WebFetch(domain:*.example.com)'] },
      'deny',
    ],
    ['web-151', 'https://example.other.com/', { allow: ['WebFetch(domain:example.*)'] }, 'ask'],
    ['a label', 'https://example.com/', { allow: ['WebFetch(domain:example.*)'] }, 'allow'],
    [
      'part of a label',
      'https://api-7.example.com/',
      { allow: ['WebFetch(domain:api-*.example.com)'] },
      'allow',
    ],
    ['web-152', 'https://localhost:3000/', { allow: ['WebFetch(domain:localhost)'] }, 'allow'],
    [
      'a private address by name',
      'http://10.0.0.7:81/',
      { allow: ['WebFetch(domain:10.0.0.7)'] },
      'allow',
    ],
    [
      'another private address',
      'http://10.0.0.8/',
      { allow: ['WebFetch(domain:10.0.0.7)'] },
      'deny',
    ],
    [
      'by name, and denied',
      'http://localhost/',
      { allow: ['WebFetch(domain:localhost)'], deny: ['WebFetch(domain:localhost)'] },
      'deny',
    ],
    [
      'by name, and asked',
      'http://localhost/',
      { allow: ['WebFetch(domain:localhost)'], ask: ['WebFetch'] },
      'ask',
    ],
    ['every host', 'https://example.com/', { allow: ['WebFetch(domain:*)'] }, 'allow'],
    [
      'every host is no address',
      'https://93.184.216.34/',
      { allow: ['WebFetch(domain:*)'] },
      'ask',
    ],
    [
      'every host, denied',
      'https://93.184.216.34/',
      { allow: ['WebFetch'], deny: ['WebFetch(domain:*)'] },
      'deny',
    ],
    [
      'asked',
      'https://a.example.com/',
      { allow: ['WebFetch'], ask: ['WebFetch(domain:example.com)'] },
      'ask',
    ],
    [
      'below is denied',
      'https://a.example.com/',
      { allow: ['WebFetch'], deny: ['WebFetch(domain:*.example.com)'] },
      'deny',
    ],
    [
      'below is denied, not itself',
      'https://example.com/',
      { allow: ['WebFetch'], deny: ['WebFetch(domain:*.example.com)'] },
      'allow',
    ],
    [
      'other letters',
      'https://bücher.example/',
      { allow: ['WebFetch(domain:bücher.example)'] },
      'allow',
    ],
    [
      'other letters, as the network writes them',
      'https://xn--bcher-kva.example/',
      { deny: ['WebFetch(domain:BÜCHER.example)'] },
      'deny',
    ],
    [
      'IPv4 in IPv6',
      'https://[::ffff:93.184.216.34]/',
      { allow: ['WebFetch'], deny: ['WebFetch(domain:93.184.216.34)'] },
      'deny',
    ],
    ['no rule', 'https://example.com/', {}, 'ask'],
    ['none at all', 'https://example.com/', { allow: ['WebFetch'], deny: ['WebFetch'] }, 'deny'],
    [
      'an invalid pattern denies',
      'https://example.com/',
      { allow: ['WebFetch'], deny: ['WebFetch(x)'] },
      'deny',
    ],
    [
      'an invalid pattern allows nothing',
      'https://example.com/',
      { allow: ['WebFetch(x)'] },
      'ask',
    ],
  ])('%s: %s', (_, url, texts, verdict) => {
    expect(judge(url, texts).verdict).toBe(verdict)
  })

  test('an unknown URL', () => {
    expect(judge(undefined, { allow: ['WebFetch'] }).verdict).toBe('ask')
    expect(judge(undefined, { deny: ['WebFetch'] }).verdict).toBe('deny')
  })

  test('the decision contains the rule', () => {
    expect(judge('https://github.com/', ONE)).toMatchObject({
      what: 'fetch https://github.com/',
      why: 'the rule WebFetch(domain:github.com) allows github.com',
      rule: { text: 'WebFetch(domain:github.com)' },
    })
  })
})

test('never throws for any text, and allows only the host itself', () => {
  const parts = fc.constantFrom(
    'https://',
    'github.com',
    '@',
    '\\',
    '/',
    ':',
    '.',
    '%00',
    '[',
    ']',
    '#',
    '。',
    'x',
  )
  const text = fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(text, (pieces) => {
      const url = pieces.join('')
      const { verdict } = judge(url, ONE)
      if (verdict === 'allow') expect(new URL(url).hostname.replace(/\.$/, '')).toBe('github.com')
    }),
    { numRuns: 2000 },
  )
})
