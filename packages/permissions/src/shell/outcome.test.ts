import { describe, expect, test } from 'vitest'
import { verdictIn, fileSystemWith } from '../../test/file-system.ts'
import type { Verdict } from '../rule/verdict.ts'

const fileSystem = fileSystemWith(['a.txt', 'other/', 'other/secret/', 'secret/', 'secret/key.txt'])
const allow = ['Bash(git:*)', 'Bash(cat:*)', 'Bash(ls:*)', 'Bash(nice:*)']

describe('a command is judged in every folder it may run in', () => {
  test.each<[string, Verdict]>([
    ['cd other && cat b.txt', 'allow'],
    ['! cd other || cat b.txt', 'allow'],
    ['(cd other); git status', 'allow'],
    ['cd other & git status', 'allow'],
    ['cd other | git status', 'allow'],
    ['case a in a) cd other;; b) git status;; esac', 'allow'],
    ['for f in "a b"; do ls $f; done', 'ask'],
    ['cd other && git status', 'ask'],
    ['! cd other || git status', 'ask'],
    ['! ! cd other && git status', 'ask'],
    ['! ! ! cd other || git status', 'ask'],
    ['case a in a) cd other;& b) git status;; esac', 'ask'],
    ['case a in a) cd other;;& *) git status;; esac', 'ask'],
    ['case a in a) cd other;& b) ls;& c) git status;; esac', 'ask'],
    ['command cd other && git status', 'ask'],
    // Some systems have a program of that name, which changes no folder.
    ['nice cd other && cat secret/key.txt', 'deny'],
    ['for f in "a /etc"; do ls $f; done', 'ask'],
  ])('%s: %s', async (command, verdict) => {
    expect(await verdictIn(fileSystem, command, { allow, deny: ['Read(./secret/**)'] })).toBe(
      verdict,
    )
  })
})
