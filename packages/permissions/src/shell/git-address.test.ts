import { describe, expect, test } from 'vitest'
import { fileSystemWith, verdictIn } from '../../test/file-system.ts'
import { sshHostOf } from './argument-operations.ts'

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

const fileSystem = fileSystemWith(['a.txt', 'x:y/'])
const verdict = (command: string, allow: readonly string[] = [], deny: readonly string[] = []) =>
  verdictIn(fileSystem, command, { allow: ['Bash(git:*)', ...allow], deny })

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

test('rules for the host, and for what it does, allow it', async () => {
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
  // `git clone` takes a folder of this name rather than a host.
  expect(await verdict('git clone x:y', ['WebFetch(domain:x)'], ['Read(./x:y)'])).toBe('deny')
})
