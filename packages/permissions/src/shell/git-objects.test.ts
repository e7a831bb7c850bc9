import { describe, expect, test } from 'vitest'
import { verdictIn, fileSystemWith } from '../../test/file-system.ts'
import type { Verdict } from '../rule/rule.ts'

const fileSystem = fileSystemWith([
  'a.txt',
  '.env',
  'docs/',
  'docs/guide.md',
  'key.txt',
  'cafe',
  'secret/',
])

describe('git shows no denied file, under any name', () => {
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
    // An object named by its hash may be any file, or its folder.
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
    // A path in one commit doesn't limit another commit, nor does a branch with the name of a folder.
    ['git show HEAD:a.txt HEAD~2', 'ask'],
    ['git show docs --', 'ask'],
    ['git log -p --full-diff -- a.txt', 'ask'],
    ['git reflog show -p', 'ask'],
    ['git log --check', 'ask'],
  ])('%s: %s', async (command, verdict) => {
    const deny = ['Read(.env)', 'Read(./secret/**)']
    expect(await verdictIn(fileSystem, command, { allow: ['Bash(git:*)'], deny })).toBe(verdict)
  })
})
