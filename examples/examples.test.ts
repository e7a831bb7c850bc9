import { readdirSync, readFileSync } from 'node:fs'
import { format } from 'node:util'
import { expect, test, vi } from 'vitest'
import { checkProtocol } from '@toolglot/core/check'
import { runs } from '../tests/helpers/size.ts'
import arrow, { examples } from './arrow.ts'

const here = new URL('.', import.meta.url)
const files = readdirSync(here).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

/** The output stated at the end of an example. */
function promised(source: string): string {
  const lines = source.trimEnd().split('\n').reverse()
  const count = lines.findIndex((line) => !line.startsWith('//'))
  return lines
    .slice(0, count)
    .reverse()
    .map((line) => line.slice(3))
    .join('\n')
}

test.each(files)('%s prints the output in its last comment', async (file) => {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...args) => {
    printed.push(format(...args))
  })
  await import(new URL(file, here).href)
  log.mockRestore()
  expect(printed.join('\n')).toBe(promised(readFileSync(new URL(file, here), 'utf8')))
})

test('the parser in the README is an example, and code comes early', () => {
  const readme = readFileSync(new URL('../README.md', here), 'utf8')
  const example = readFileSync(new URL('read-a-reply.ts', here), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  expect(readme.slice(0, readme.indexOf('```ts')).split('\n').length).toBeLessThanOrEqual(25)
})

test('the protocol in arrow.ts is the documented one and satisfies the laws', () => {
  const document = readFileSync(new URL('../docs/own-protocol.md', here), 'utf8')
  const source = readFileSync(new URL('arrow.ts', here), 'utf8')
  expect(document).toContain(`\`\`\`ts\n${source}\`\`\``)
  const failures = checkProtocol(arrow, { examples, texts: runs(400).numRuns }).flatMap(
    (report) => report.failures,
  )
  expect(failures).toEqual([])
})

test('the stream in read-a-stream.ts is the one in the documentation', () => {
  const document = readFileSync(new URL('../packages/core/README.md', here), 'utf8')
  const source = readFileSync(new URL('read-a-stream.ts', here), 'utf8')
  expect(document).toContain(`\`\`\`ts\n${source}\`\`\``)
})

test('the host in own-host.ts is the one in the documentation', () => {
  const document = readFileSync(new URL('../docs/hosts.md', here), 'utf8')
  const source = readFileSync(new URL('own-host.ts', here), 'utf8')
  expect(document).toContain(`\`\`\`ts\n${source}\`\`\``)
})

test('the command in decide-a-command.ts is the one in the documentation', () => {
  const source = readFileSync(new URL('decide-a-command.ts', here), 'utf8')
  for (const path of ['../packages/permissions/README.md', '../docs/permissions.md'])
    expect(readFileSync(new URL(path, here), 'utf8')).toContain(`\`\`\`ts\n${source}\`\`\``)
})

test('the shell in guard-a-shell.ts is the one in the documentation', () => {
  const document = readFileSync(new URL('../docs/permissions.md', here), 'utf8')
  const source = readFileSync(new URL('guard-a-shell.ts', here), 'utf8')
  expect(document).toContain(`\`\`\`ts\n${source}\`\`\``)
})

test('the program in ai-sdk.ts is the one in the documentation, and has nine lines', () => {
  const document = readFileSync(new URL('../docs/ai-sdk.md', here), 'utf8')
  const source = readFileSync(new URL('ai-sdk.ts', here), 'utf8')
  expect(document).toContain(`\`\`\`ts\n${source}\`\`\``)
  expect(source.split('\n').filter((line) => /^[^/]/.test(line))).toHaveLength(9)
})
