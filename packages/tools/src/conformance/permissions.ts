import { deepEqual, equal, match } from 'node:assert/strict'
import { link, mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CheckContext, type Check, check } from './check.ts'

/** Files that must not be read. */
const deny = [
  'Read(.env)',
  'Read(.env.*)',
  'Read(secrets/**)',
  'Read(**/*.pem)',
  'Read(**/*.key)',
  'Read(**/*secret*)',
]

/** Checks that unreadable files never appear in a search. */
async function checkHidden({ put, path, result, failure }: CheckContext): Promise<void> {
  await put('.env', 'TOKEN=1\n')
  await put('secrets/b.txt', 'TOKEN=2\nTOKEN=3\n')
  await put('a.txt', 'TOKEN=4\n')
  await symlink('.env', path('link.txt'))
  await symlink('secrets', path('folder'))
  for (const [output_mode, key, found] of [
    ['content', 'matches', { file: 'a.txt', line_number: 1, content: 'TOKEN=4' }],
    ['files_with_matches', 'files', 'a.txt'],
    ['count', 'counts', { file: 'a.txt', count: 1 }],
  ] as const) {
    const grep = await result('Grep', { pattern: 'TOKEN', output_mode, '-C': 0 })
    deepEqual([grep[key], grep['total_matches'], grep['total_files']], [[found], 1, 1])
  }
  const glob = await result('Glob', { pattern: '**', no_ignore: true })
  deepEqual([glob['files'], glob['total']], [['a.txt'], 1])
  const folder = await result('Read', { file_path: '.' })
  deepEqual([folder['content'], folder['total_lines']], ['a.txt', 1])
  const { error_type, details } = await failure('Read', { file_path: 'link.tx' })
  deepEqual([error_type, details?.['similar']], ['not_found', []])
}

/** Checks of permission rules. */
export const permissions: readonly Check[] = [
  check(
    'P1.1',
    'deny rules take precedence over allow rules',
    async ({ put, result, failure }) => {
      await put('docs/a.md', 'open\n')
      await put('docs/a.pem', 'closed\n')
      equal((await result('Read', { file_path: 'docs/a.md' }))['content'], '     1\topen')
      const { error_type, details } = await failure('Read', { file_path: 'docs/a.pem' })
      equal(error_type, 'permission_denied')
      equal(details?.['matched_rule'], 'Read(**/*.pem)')
    },
    { allow: ['Read', 'Read(docs/a.pem)'], deny },
  ),

  check(
    'P1.2',
    'an exact command, and no other',
    async ({ path, result, failure }) => {
      equal((await result('Bash', { command: 'touch one' }))['exit_code'], 0)
      const { error_type } = await failure('Bash', { command: 'touch two' })
      equal(error_type, 'permission_denied')
      deepEqual(await readdir(path('.')), ['one'])
    },
    { allow: ['Bash(touch one)'] },
  ),

  check(
    'P1.3',
    'commands by prefix',
    async ({ put, path, result, failure }) => {
      await put('a/b.txt', 'x\n')
      await put('c.txt', 'x\n')
      equal((await result('Bash', { command: 'rm c.txt' }))['exit_code'], 0)
      const { error_type, details } = await failure('Bash', { command: 'rm -rf a' })
      equal(error_type, 'permission_denied')
      equal(details?.['matched_rule'], 'Bash(rm -rf:*)')
      deepEqual(await readdir(path('.')), ['a'])
    },
    { allow: ['Bash(rm:*)'], deny: ['Bash(rm -rf:*)', 'Bash(sudo:*)'] },
  ),

  check(
    'P1.3',
    'a command after an allowed one also needs a rule',
    async ({ path, failure }) => {
      const { error_type } = await failure('Bash', { command: 'touch one && mkdir two' })
      equal(error_type, 'permission_denied')
      deepEqual(await readdir(path('.')), [])
    },
    { allow: ['Bash(touch:*)'] },
  ),

  check(
    'P1.4',
    'files by glob',
    async ({ put, text, result, failure }) => {
      await put('src/deep/a.ts', 'one\n')
      await put('other/a.ts', 'one\n')
      const change = { old_string: 'one', new_string: 'two' }
      await result('Edit', { file_path: 'src/deep/a.ts', ...change })
      const { error_type } = await failure('Edit', { file_path: 'other/a.ts', ...change })
      equal(error_type, 'permission_denied')
      equal(await text('src/deep/a.ts'), 'two\n')
      equal(await text('other/a.ts'), 'one\n')
    },
    { allow: ['Edit(src/**)'] },
  ),

  check(
    'P1.4',
    'a link does not bypass a rule, nor lead out of the workspace',
    async ({ root, put, path, failure }) => {
      await put('server.pem', 'closed\n')
      await symlink('server.pem', path('open.txt'))
      const outside = join(dirname(root), 'outside')
      await mkdir(outside)
      await symlink(outside, path('out'))
      const read = await failure('Read', { file_path: 'open.txt' })
      equal(read.error_type, 'permission_denied')
      const written = await failure('Write', { file_path: 'out/a.txt', content: 'x' })
      equal(written.error_type, 'permission_denied')
      deepEqual(await readdir(outside), [])
    },
    { allow: ['Read(**/*.txt)', 'Write(**)'], deny },
  ),

  check('P1.4', 'unreadable files are not found', checkHidden, { deny }),

  check(
    'P1.4',
    'hard links to unreadable files are not found',
    async ({ put, path, result }) => {
      await put('.env', 'TOKEN=1\n')
      await link(path('.env'), path('twin.txt'))
      equal((await result('Grep', { pattern: 'TOKEN' }))['total_matches'], 0)
      equal((await result('Glob', { pattern: '*' }))['total'], 0)
      equal((await result('Read', { file_path: '.' }))['content'], '')
    },
    { deny },
  ),

  check('P1.4', 'files that need approval are not found without one', checkHidden, {
    ask: deny,
  }),

  check(
    'P1.5',
    'a denial names the tool, the error type, the file and the rule',
    async ({ put, failure }) => {
      await put('.env', 'TOKEN=1\n')
      const { tool, error_type, message, details } = await failure('Read', { file_path: '.env' })
      equal(tool, 'Read')
      equal(error_type, 'permission_denied')
      match(message, /\.env/)
      equal(details?.['file'], '.env')
      equal(details?.['matched_rule'], 'Read(.env)')
    },
    { deny },
  ),

  check(
    'P1.5',
    'a call without a rule does not run if there is no user to ask',
    async ({ path, failure }) => {
      const { error_type } = await failure('Write', { file_path: 'a.txt', content: 'x' })
      equal(error_type, 'permission_denied')
      deepEqual(await readdir(path('.')), [])
    },
    { allow: [] },
  ),
]
