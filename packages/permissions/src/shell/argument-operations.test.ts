import { describe, expect, test } from 'vitest'
import { verdictIn, fileSystemWith } from '../../test/file-system.ts'
import type { Verdict } from '../rule/rule.ts'
import { sshHostOf } from './argument-operations.ts'

const fileSystem = fileSystemWith(['a.txt', 'certs/', 'certs/server.pem', 'docs/', 'docs/b.txt'])

describe('a rule with a glob does not cover denied files', () => {
  test.each<[string, string, Verdict]>([
    ['cat docs/*', 'Read(./certs/**)', 'allow'],
    ['cat "docs"/*.txt', 'Read(./certs/**)', 'allow'],
    ['ls certs/*', 'Read(*.pem)', 'deny'],
    ['cat certs/*', 'Read(*.pem)', 'deny'],
    ['cat *', 'Read(./certs/**)', 'deny'],
    ['cat {docs/b,certs/server}.pem', 'Read(*.pem)', 'deny'],
  ])('%s where %s is denied: %s', async (command, denied, verdict) => {
    expect(
      await verdictIn(fileSystem, command, { allow: [`Bash(${command})`], deny: [denied] }),
    ).toBe(verdict)
  })
})

test.each([
  ['example.com:a/b', 'example.com'],
  ['git@example.com:a/b', 'example.com'],
  ['host:path', 'host'],
  ['host:/path', 'host'],
  ['C:/x', 'C'],
  ['[example.com:22]:a', 'example.com'],
  ['[me@example.com:22]:a', 'example.com'],
  ['me@[example.com]:a', 'example.com'],
  ['[::1]:a', '[::1]'],
  ['ssh://me@example.com:22/a', 'example.com'],
  ['git+ssh://example.com/a', 'example.com'],
  ['ssh://[::1]/a', '[::1]'],
  ['./a:b', undefined],
  ['a/b:c', undefined],
  ['/a:b', undefined],
  ['https://example.com/a:b', undefined],
  ['file:///a', undefined],
  ['origin', undefined],
])('%s connects to %s', (word, host) => {
  expect(sshHostOf(word)).toBe(host)
})

const addressFiles = fileSystemWith(['a.txt', 'x:y/'])
const verdict = (command: string, allow: readonly string[] = [], deny: readonly string[] = []) =>
  verdictIn(addressFiles, command, { allow: ['Bash(git:*)', ...allow], deny })

describe('an address for ssh is a fetch from its host', () => {
  const COMMANDS = [
    ...['ls-remote $', 'ls-remote --heads $', 'ls-remote -- $', 'clone $', 'clone -b main $ x'],
    ...['fetch $', 'fetch $ main', 'fetch --multiple origin $', 'pull $', 'push $ main'],
    ...['push --repo=$', 'push --repo $', 'remote show $', 'remote prune $', 'remote add x $'],
    ...['remote add -f x $', 'remote set-url origin $', 'remote set-url --add origin $'],
    ...['archive --remote=$ HEAD', 'archive --remote $ HEAD', 'submodule add $ sub'],
    ...['submodule add -b main $ sub', 'submodule set-url sub $', 'subtree add --prefix=x $ main'],
    ...['send-pack $', 'fetch-pack $', 'request-pull HEAD $'],
  ]
  const ADDRESSES = ['example.com:a', 'git@example.com:a/b.git', 'ssh://git@example.com/a']
  test.each(COMMANDS.map((words) => `git ${words}`))('%s', async (command) => {
    for (const address of ADDRESSES) {
      const text = command.replace('$', address)
      expect(await verdict(text)).toBe('ask')
      expect(await verdict(text, [], ['WebFetch(domain:example.com)'])).toBe('deny')
      expect(await verdict(text, [`Bash(${text})`], ['WebFetch(domain:example.com)'])).toBe('deny')
    }
  })
})

test('rules for the host and for the command allow it', async () => {
  const host = 'WebFetch(domain:example.com)'
  expect(await verdict('git ls-remote example.com:a', [host])).toBe('allow')
  expect(await verdict('git ls-remote ssh://me@example.com/a', [host])).toBe('allow')
  const add = 'Bash(git remote add:*)'
  expect(await verdict('git remote add x git@example.com:a', [host])).toBe('ask')
  expect(await verdict('git remote add x git@example.com:a', [host, add])).toBe('allow')
})

test('a path with a colon after a slash is a folder', async () => {
  expect(await verdict('git ls-remote ./x:y')).toBe('allow')
  expect(await verdict('git ls-remote ./x:y', [], ['Read(./x:y)'])).toBe('deny')
  // `git clone` prefers a folder with this name to a host.
  expect(await verdict('git clone x:y', ['WebFetch(domain:x)'], ['Read(./x:y)'])).toBe('deny')
})

const objectFiles = fileSystemWith([
  'a.txt',
  '.env',
  'docs/',
  'docs/guide.md',
  'key.txt',
  'cafe',
  'secret/',
])

describe('git does not show a denied file under any name', () => {
  test.each<[string, Verdict]>([
    ['git show HEAD:a.txt', 'allow'],
    ['git show HEAD -- a.txt', 'allow'],
    ['git show --stat HEAD', 'allow'],
    ['git diff main -- a.txt', 'allow'],
    ['git log -p a.txt', 'allow'],
    ['git log --oneline 1a2b3c4..HEAD', 'allow'],
    ['git diff --stat 1a2b3c4', 'allow'],
    ['git checkout 1a2b3c4', 'allow'],
    ['git cherry-pick 1a2b3c4', 'allow'],
    ['git show 1a2b3c4~1 -- a.txt', 'allow'],
    ['git show HEAD:.env', 'deny'],
    ['git restore --source=HEAD:secret key.txt', 'deny'],
    ['git fetch origin', 'allow'],
    ['git fetch', 'allow'],
    // A patch can rename files, and another repository may be outside.
    ['git apply a.txt', 'ask'],
    ['git apply', 'ask'],
    ['git fetch ../other main', 'ask'],
    ['git pull /srv/other main', 'ask'],
    ['git push ~/other main', 'ask'],
    ['git clone /srv/other copy', 'ask'],
    // An object referred to by its hash may be any file or folder.
    ['git show 1a2b3c4 -- a.txt', 'ask'],
    ['git show --stat 1a2b3c4', 'ask'],
    ['git show -s v1-0-g1a2b3c4', 'ask'],
    ['git show 1a2b3c4:key.txt', 'ask'],
    ['git show 1a2b3c4^{}:key.txt', 'ask'],
    ['git cat-file -p 1a2b3c4:key.txt', 'ask'],
    ['git cat-file -p cafe', 'ask'],
    ['git log -p -- cafe', 'allow'],
    ['git diff 1a2b3c4 a.txt', 'ask'],
    ['git diff HEAD..1a2b3c4 -- a.txt', 'ask'],
    ["git grep -h '' 1a2b3c4 -- a.txt", 'ask'],
    ['git archive 1a2b3c4 key.txt', 'ask'],
    ['git diff-tree -p 4b825dc 1a2b3c4 -- key.txt', 'ask'],
    ['git checkout 1a2b3c4 -- key.txt', 'ask'],
    ['git restore --source=1a2b3c4 key.txt', 'ask'],
    ['git restore -s 1a2b3c4 key.txt', 'ask'],
    ['git reset 1a2b3c4 -- key.txt', 'ask'],
    ['git tag t 1a2b3c4', 'ask'],
    ['git commit-tree -m x 1a2b3c4', 'ask'],
    // A path in one commit doesn't limit another commit. Neither does a branch with the name of a
    // folder.
    ['git show HEAD:a.txt HEAD~2', 'ask'],
    ['git show docs --', 'ask'],
    ['git log -p --full-diff -- a.txt', 'ask'],
    ['git reflog show -p', 'ask'],
    ['git log --check', 'ask'],
  ])('%s: %s', async (command, verdict) => {
    const deny = ['Read(.env)', 'Read(./secret/**)']
    expect(await verdictIn(objectFiles, command, { allow: ['Bash(git:*)'], deny })).toBe(verdict)
  })
})
