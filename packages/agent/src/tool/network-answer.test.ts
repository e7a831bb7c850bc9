import { expect, test } from 'vitest'
import { isHostName } from './network-answer.ts'

test.each([
  'registry.npmjs.org',
  'localhost',
  'xn--e1afmkfd.com',
  'a_b.example.com',
  '192.0.2.1',
  '[2001:db8::1]',
])('%s is a host', (text) => expect(isHostName(text)).toBe(true))

test.each([
  ...[
    '*',
    '*.com',
    '*.example.com',
    'a*.com',
    'example.com.',
    'a..com',
    '.com',
    '!',
    'a!b.com',
    '$',
  ],
  ...[
    'example.com:443',
    'example.com/x',
    'user@example.com',
    'Example.com',
    'пример.com',
    'a b',
    '',
  ],
  ...['2852039166', '0x7f.1', '127.1', '::1', '[::ffff:1.2.3.4]', 'a.com\0', 'a.com%00', 'a.com#'],
])('%j is not a host', (text) => expect(isHostName(text)).toBe(false))
