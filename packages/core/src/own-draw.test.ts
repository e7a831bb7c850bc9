import { expect, test } from 'vitest'
import { printCall, parse } from './index.ts'
import { args, each, gap, key, name, output, value, wire } from './own-draw.ts'
import type { Wire } from './wire.ts'

test.each<[about: string, reason: string, draw: () => Wire]>([
  ['a key before a value', 'Nothing but white space follows a key', () => wire`${key} ${value()};`],
  [
    'a key on a line',
    'Nothing but white space follows a key',
    () => wire`<p>${key}\n${value()}</p>`,
  ],
  [
    'a key before a gap',
    'Nothing but white space follows a key',
    () => wire`${key}${gap}${value()};`,
  ],
  [
    'a name before arguments without marks',
    'Nothing but white space follows a name',
    () => wire`<c>${name}\n${each(wire`${key}: ${value()};`)}</c>`,
  ],
  [
    'a separator after a value',
    'The separator ", " doesn\'t end a value.',
    () => wire`<c n="${name}">${each(wire`${key}=${value()}`, { separator: ', ' })}</c>`,
  ],
  [
    'nothing after a value',
    'Nothing ends a value.',
    () => wire`<c n="${name}">${each(wire`${key}=${value()}`)}</c>`,
  ],
  ['a name at the end', 'Nothing but white space follows a name', () => wire`<c>${name}\n`],
  [
    'a key at the end',
    'Nothing but white space follows a key',
    () => wire`<v>${value()}</v><k>${key}`,
  ],
  [
    'white space after a value, and nothing before its key',
    'Nothing ends a value.',
    () => wire`<c n="${name}">${each(wire`${key}: ${value()}\n`)}</c>`,
  ],
  ...['\n', ', ', ';'].flatMap((separator) =>
    ['', '\n'].map((after): [string, string, () => Wire] => [
      `the separator ${JSON.stringify(separator)} after a value and ${JSON.stringify(after)}`,
      `The separator ${JSON.stringify(separator)} doesn't end a value.`,
      () => wire`<c n="${name}">${each(wire`<p=${key}>${value()}${after}`, { separator })}</c>`,
    ]),
  ),
  [
    'a separator that hides a closing mark',
    'The separator "; " doesn\'t end a value.',
    () => wire`<c n="${name}">${each(wire`<p=${key}>${value()}</p>`, { separator: '; ' })}</c>`,
  ],
  ['a value alone', 'A value has no key.', () => wire`<c n="${name}">${value()}</c>`],
  ['each value alone', 'A value has no key.', () => wire`${each(wire`<v>${value()}</v>`)}`],
  [
    'one key and value',
    'A key and its value are drawn once per argument.',
    () => wire`<c ${name}>${key}=${value()}</c>`,
  ],
])('a picture that cannot be read is refused when it is drawn: %s', (_, reason, draw) => {
  expect(draw).toThrow(reason)
})

test.each<[about: string, call: Wire]>([
  ['arguments as JSON', wire`=> ${name} ${args} <=`],
  ['arguments in tags', wire`<c> ${name}\n${each(wire`<p=${key}>${value()}</p>`)} </c>`],
  ['arguments that end at the next', wire`<c n="${name}">${each(wire`<p=${key}>${value()}`)}</c>`],
  ['a separator in the picture', wire`<c n="${name}">${each(wire`${key}=${value()};`)}</c>`],
  ...['', '\n', ', '].map((separator): [string, Wire] => [
    `the separator ${JSON.stringify(separator)} between tags`,
    wire`<c n="${name}">${each(wire`<p=${key}>${value()}</p>`, { separator })}</c>`,
  ]),
  [
    'a separator after a mark',
    wire`<c n="${name}">${each(wire`${key}=${value()};`, { separator: '\n' })}</c>`,
  ],
])('others are printed and read: %s', (_, call) => {
  const protocol = { id: 'own', call, result: wire`<r>${name} ${output}</r>` }
  const tools = [{ name: 'ping' }]
  const made = { name: 'ping', args: { s: 'a b', t: 'c' } }
  const { calls } = parse(printCall(protocol, made), { protocols: protocol, tools })
  expect(calls).toMatchObject([made])
})
