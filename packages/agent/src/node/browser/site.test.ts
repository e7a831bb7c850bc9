import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSite, limitsOf, nameOf, parseSite, type Site } from './site.ts'

const site: Site = {
  address: 'https://chat.example.org/',
  input: 'textarea',
  send: '#send',
  reply: '.reply',
  raw: { from: 'text' },
}

test('a minimal site file is complete', () => {
  expect(parseSite(site)).toBe(site)
  expect(nameOf(site)).toBe('chat.example.org')
  expect(limitsOf(site)).toMatchObject({ settle: 3000, characters: 100_000 })
  expect(limitsOf({ ...site, stop: '#stop', limits: { pause: 5 } })).toMatchObject({
    settle: 1000,
    pause: 5,
  })
})

describe('each problem contains the field', () => {
  test.each<[object, string]>([
    [{ address: undefined }, 'address of the site file must be an address that begins with https'],
    [{ address: 'http://chat.example.org/' }, 'address of the site file'],
    [{ address: 'https://me:secret@chat.example.org/' }, 'address of the site file'],
    [{ address: 'file:///etc/passwd' }, 'address of the site file'],
    [{ input: '' }, 'input of the site file must be a CSS selector'],
    [
      { reply: 3 },
      'reply of the site file must be a CSS selector of at most 1000 characters, not 3.',
    ],
    [{ repyl: '.a' }, 'Unknown key "repyl" in the site file. Did you mean reply?'],
    [{ key: 'Enter' }, 'The site file must not have both send and key.'],
    [{ send: undefined }, 'The site file requires send or key.'],
    [{ send: undefined, key: 'F1' }, 'key of the site file must be a key'],
    [{ raw: undefined }, 'raw of the site file must be an object, not undefined.'],
    [{ raw: {} }, 'from of raw of the site file must be "copy", "network", "code" or "text"'],
    [{ raw: { from: 'toString' } }, 'from of raw of the site file'],
    [{ raw: { from: 'copy' } }, 'button of raw of the site file must be a CSS selector'],
    [
      { raw: { from: 'copy', button: 'b', url: 'x' } },
      'Unknown key "url" in raw of the site file.',
    ],
    [{ raw: { from: 'network', url: '/api' } }, 'text of raw of the site file must be a path'],
    [{ raw: { from: 'network', url: '/api', text: 'a..b' } }, 'text of raw of the site file'],
    [{ raw: { from: 'network', url: '/api', text: 'a', events: 'xml' } }, 'events of raw'],
    [{ loggedOut: {} }, 'loggedOut of the site file requires a selector or a url'],
    [
      { rateLimited: { url: '/x', text: 'y' } },
      'rateLimited of the site file requires a selector for its text',
    ],
    [
      { limits: { characters: 0 } },
      'characters of limits of the site file must be a positive whole number',
    ],
    [
      { limits: { pauses: 0 } },
      'Unknown key "pauses" in limits of the site file. Did you mean pause?',
    ],
    [{ window: 'yes' }, 'window of the site file must be true or false'],
    [{ name: '\u001b[2J' }, 'name of the site file'],
  ])('%j', (more, message) => {
    expect(() => parseSite({ ...site, ...more })).toThrow(TypeError)
    expect(() => parseSite({ ...site, ...more })).toThrow(message)
  })
})

test('http is allowed only for this machine', () => {
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]'])
    expect(() => parseSite({ ...site, address: `http://${host}/` })).not.toThrow()
  for (const host of ['127.0.0.1.example.org', 'localhost.example.org', '10.0.0.1', '[::2]'])
    expect(() => parseSite({ ...site, address: `http://${host}/` })).toThrow(/address/)
})

test('any JSON is a site or causes a TypeError', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('Enter', 'copy', 'network', 'https://a.b'))
  const keys = [
    'name',
    'address',
    'input',
    'send',
    'key',
    'stop',
    'reply',
    'raw',
    'loggedOut',
    'limits',
  ]
  const like = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), value)
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), like), like, fc.boolean(), (any, members, isNearly) => {
      const whole = isNearly ? { ...site, ...members } : any
      try {
        const { address, input, reply, raw } = parseSite(whole)
        // An accepted address is usable.
        expect(new URL(address).protocol).toMatch(/^https?:$/)
        expect([typeof input, typeof reply]).toEqual(['string', 'string'])
        expect(['copy', 'network', 'code', 'text']).toContain(raw.from)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        expect((error as Error).message).toMatch(/site file/)
        expect((error as Error).message.length).toBeLessThan(1000)
      }
    }),
  )
})

const examples = fileURLToPath(new URL('../../../../../examples/sites/', import.meta.url))

test.each(readdirSync(examples))('examples/sites/%s is valid and marked as untested', (file) => {
  const { note, address } = readSite(examples + file)
  expect(note).toMatch(/^Untested/)
  expect(address).toMatch(/^https:/)
})
