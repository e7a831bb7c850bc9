import { describe, expect, test, vi } from 'vitest'
import { arrow } from '../test/arrow.ts'
import { runInShell } from '../test/spawn-command.ts'

// Each test starts the command several times.
vi.setConfig({ testTimeout: 60_000 })

/** A protocol that writes a file when it is loaded. */
const telling = `import { writeFileSync } from 'node:fs'\nwriteFileSync('loaded', '')\n${arrow}`
const asking = (...protocols: string[]): string => JSON.stringify({ protocols })

const files = {
  'reply.txt': 'So. => ping {"n": 1} <=',
  'mine.mjs': arrow,
}
const trust = ['.']

describe('--protocol FILE', () => {
  test('uses the file, once its folder is trusted', async () => {
    // Trusts the folder as a user does, in a separate process.
    const line = 'toolglot trust --yes >&2 && toolglot parse --json -p ./mine.mjs reply.txt'
    const { code, output } = await runInShell(line, { files })
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      text: 'So. ',
      calls: [{ name: 'ping', args: { n: 1 }, protocol: 'arrow' }],
    })
  })

  test('uses the file for piped input', async () => {
    const line = 'cat reply.txt | toolglot parse --json -p ./mine.mjs'
    const { code, output, errors } = await runInShell(line, { files, trust })
    expect({ code, errors }).toMatchObject({ code: 0 })
    expect(JSON.parse(output)).toMatchObject({ calls: [{ name: 'ping', protocol: 'arrow' }] })
  })

  test('adds a protocol to the built-in ones, by extension, and from another folder', async () => {
    const { code, output } = await runInShell(
      'cd own && toolglot parse -p hermes,mine.mjs ../reply.txt',
      { files: { ...files, 'own/mine.mjs': arrow }, trust: ['own'] },
    )
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/call +ping {2}complete {2}arrow/) as string,
    })
  })

  test('is not loaded before that', async () => {
    const { code, output, errors } = await runInShell(
      'toolglot parse -p ./mine.mjs reply.txt || toolglot protocols --check mine.mjs; ls',
      { files: { ...files, 'mine.mjs': telling } },
    )
    expect(code).toBe(0)
    expect(errors).toMatch(/and loading it would run its code.+ toolglot trust \//)
    expect(output.split('\n')).not.toContain('loaded')
  })

  test('is not loaded through a link into another folder', async () => {
    const line = 'ln -s ../b/mine.mjs a/; toolglot parse -p a/mine.mjs reply.txt'
    const { code, errors } = await runInShell(line, {
      trust: ['a'],
      files: { ...files, 'a/x': '', 'b/mine.mjs': arrow },
    })
    expect(code).toBe(1)
    expect(errors).toContain('that is not trusted')
  })

  test.each<[name: string, code: string, message: string]>([
    ['no file', '', "No such file: '"],
    ['no protocol', 'export const a = 1', "exports no protocol: it exports only 'a'"],
    [
      'half a protocol',
      'export default { id: "x", about: "" }',
      'exports no protocol: call must be a picture',
    ],
    [
      'an id that is taken',
      arrow.replace("'arrow'", "'hermes'"),
      "uses the id 'hermes', which is reserved",
    ],
    [
      'two of one id',
      "import one from './one.mjs'\nexport default one\nexport const two = { ...one }",
      "defines the protocol 'arrow' twice",
    ],
    ['code that throws', 'throw new Error("not today")', ': not today'],
    ['no code', 'this is not code', 'Cannot load '],
  ])('%s', async (name, text, message) => {
    const { code, errors } = await runInShell('toolglot parse -p ./mine.mjs reply.txt', {
      trust,
      files:
        name === 'no file'
          ? { 'reply.txt': 'x' }
          : { ...files, 'one.mjs': arrow, 'mine.mjs': text },
    })
    expect(errors).toContain(message)
    expect(code).toBe(1)
  })
})

describe('settings', () => {
  const settled = { ...files, '.toolglot/settings.json': asking('./mine.mjs') }

  test('add protocols to the built-in ones, and list them', async () => {
    const { code, output } = await runInShell(
      `toolglot parse reply.txt
       echo '{"id": 1, "text": "=> ping {} <="}' | toolglot parse --batch
       echo '[{"name": "ping", "arguments": {}}] is an answer' | toolglot parse
       toolglot protocols`,
      { files: settled, trust },
    )
    expect(code).toBe(0)
    expect(output).toMatch(/call +ping {2}complete {2}arrow/)
    expect(output).toContain('{"id":1,"protocol":"arrow"')
    expect(output).toMatch(/^text +\[.+ is an answer$/m)
    expect(output).toContain('\narrow  Our own fine-tune')
  })

  test('of an untrusted folder load no protocol, which is reported', async () => {
    const { code, output, errors } = await runInShell(
      'toolglot parse reply.txt; toolglot protocols > list; toolglot parse -p arrow reply.txt; ls',
      { files: { ...settled, 'mine.mjs': telling } },
    )
    expect(code).toBe(0)
    expect(errors).toContain('are not trusted: they grant no permissions. See toolglot trust')
    expect(errors).toContain("Unknown protocol 'arrow'")
    expect(output).toContain('0 calls')
    expect(output.split('\n')).not.toContain('loaded')
  })

  test('that are not needed cause no warnings', async () => {
    const { code, errors } = await runInShell('toolglot parse -p hermes reply.txt', {
      files: settled,
    })
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
  })

  test('that changed since load no protocol', async () => {
    const { output, errors } = await runInShell('echo >> mine.mjs; toolglot parse reply.txt; ls', {
      files: { ...settled, 'mine.mjs': telling },
      trust,
    })
    expect(errors).toContain('have changed since you trusted it')
    expect(output.split('\n')).not.toContain('loaded')
  })

  test.each(['../b/mine.mjs', './link.mjs'])(
    'of a folder can contain only files in it: not %s',
    async (path) => {
      const { code, output, errors } = await runInShell(
        'cd a; ln -s ../b/mine.mjs link.mjs; toolglot trust --yes; toolglot parse ../reply.txt; c=$?; ls; exit $c',
        { files: { ...files, 'a/.toolglot/settings.json': asking(path), 'b/mine.mjs': telling } },
      )
      expect(code).toBe(1)
      expect(errors).toContain('is outside of')
      expect(output.split('\n')).not.toContain('loaded')
    },
  )

  test('of the user need no trust', async () => {
    const { code, output } = await runInShell('toolglot parse -p arrow reply.txt', {
      files: {
        ...files,
        'home/.config/toolglot/settings.json': asking('~/.config/toolglot/mine.mjs'),
        'home/.config/toolglot/mine.mjs': arrow,
      },
    })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('1 call') })
  })

  test('that are broken are reported, and the command continues', async () => {
    const { code, errors, output } = await runInShell('toolglot parse reply.txt', {
      files: { ...files, '.toolglot/settings.json': '{"permissions": {"alow": []}}' },
    })
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('0 calls') })
    expect(errors).toMatch(/settings\.json:1: unknown setting "alow"/)
  })
})

describe('protocols --check', () => {
  test('a protocol that keeps the laws', async () => {
    const { code, output } = await runInShell('toolglot protocols --check mine.mjs', {
      files,
      trust,
    })
    expect(code).toBe(0)
    expect(output).toMatch(/✓ any chunking gives the same reply {2}\d+ cases?/)
    expect(output).toContain('All laws hold.')
  })

  test('a protocol that breaks laws', async () => {
    const wrong = arrow.replace("'ping', { n: 1 }", "'ping', { n: 2 }")
    const { code, output } = await runInShell('toolglot protocols --check mine.mjs', {
      files: { 'mine.mjs': wrong },
      trust,
    })
    expect(code).toBe(1)
    expect(output).toMatch(/✗ its examples are read as stated.*\n +on +'one call'\n +calls: /)
    expect(output).toContain('2 laws are broken.')
  })

  test('--json, examples inside the protocol, several in one file', async () => {
    const both = `${arrow.replace('export const examples', 'const examples')}
export const other = { ...(await import('./more.mjs')).default, examples }`
    const { code, output } = await runInShell('toolglot protocols --check mine.mjs --json', {
      trust,
      files: { 'mine.mjs': both, 'more.mjs': arrow.replace("'arrow'", "'dart'") },
    })
    const reports = JSON.parse(output) as { id: string; laws: { failures: unknown[] }[] }[]
    expect(code).toBe(1)
    expect(reports.map(({ id, laws }) => [id, laws[0]?.failures.length])).toEqual([
      ['arrow', 1],
      ['dart', 0],
    ])
  })

  test('supports TypeScript, as far as Node does', async () => {
    const { code, output, errors } = await runInShell('toolglot protocols --check mine.ts', {
      trust,
      files: { 'mine.ts': arrow.replace('{ tools, example }', '{ tools, example }: any') },
    })
    const reads = (process.features as { typescript?: unknown }).typescript
    expect(code).toBe(reads ? 0 : 1)
    expect(reads ? output : errors).toContain(reads ? 'All laws hold.' : 'Use Node 22.18 or newer')
  })
})
