import {
  type Decision,
  decide,
  type FileSystemView,
  type PermissionCall,
  readRules,
} from '@toolglot/permissions'
import { expect, test } from 'vitest'
import type { Key, Translate } from '../words/words.ts'
import { reasonSentence } from './reasons.ts'

/** Returns the key itself, which identifies the page's own text in any language. */
const t: Translate = (key) => key

const fileSystem: FileSystemView = {
  cwd: '/workspace',
  home: '/home/me',
  roots: ['/workspace'],
  platform: 'linux',
  caseSensitive: true,
  follow: (path) => [path],
}
const decided = async (call: PermissionCall): Promise<Decision> =>
  await decide(call, readRules({ allow: ['Bash(cp:*)'] }), fileSystem)
const bash = (command: string, more: object = {}): PermissionCall => ({
  name: 'Bash',
  args: { command, ...more },
})

test.each<[Key, PermissionCall]>([
  ['approvals.reason.noRule', bash('frobnicate x')],
  ['approvals.reason.noRuleWriting', { name: 'Write', args: { file_path: 'a', content: '' } }],
  ['approvals.reason.noRuleOutside', { name: 'Write', args: { file_path: '/etc/a', content: '' } }],
  [
    'approvals.reason.noRuleFor',
    { name: 'WebFetch', args: { url: 'https://go.dev', prompt: 'x' } },
  ],
  ['approvals.reason.noEffect', bash('true')],
  ['approvals.reason.wraps', bash('timeout 5 npm test')],
  ['approvals.reason.unseen', bash('ls \u200b')],
  ['approvals.reason.root', bash('rm -rf /')],
  [
    'approvals.reason.credentials',
    { name: 'Write', args: { file_path: '/home/me/.aws/credentials', content: '' } },
  ],
  ['approvals.reason.doubted', { ...bash('npm test'), trust: { fenced: true } }],
])('the permissions still say what the page calls %s', async (key, call) => {
  const { parts } = await decided(call)
  expect(parts.map(({ why }) => reasonSentence(why, t))).toContain(key)
})
