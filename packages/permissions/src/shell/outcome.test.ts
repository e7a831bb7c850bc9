import { describe, expect, test } from 'vitest'
import { verdictIn, fileSystemWith } from '../../test/file-system.ts'
import type { Verdict } from '../rule/rule.ts'

const fileSystem = fileSystemWith(['a.txt', 'other/', 'other/secret/', 'secret/', 'secret/key.txt'])
const allow = ['Bash(make:*)', 'Bash(cat:*)', 'Bash(ls:*)', 'Bash(nice:*)']

describe('a command is judged in every folder where it may run', () => {
  test.each<[string, Verdict]>([
    ['cd other && cat b.txt', 'allow'],
    ['! cd other || cat b.txt', 'allow'],
    ['(cd other); make', 'allow'],
    ['cd other & make', 'allow'],
    ['cd other | make', 'allow'],
    ['case a in a) cd other;; b) make;; esac', 'allow'],
    ['for f in "a b"; do ls $f; done', 'ask'],
    ['cd other && make', 'ask'],
    ['! cd other || make', 'ask'],
    ['! ! cd other && make', 'ask'],
    ['! ! ! cd other || make', 'ask'],
    ['case a in a) cd other;& b) make;; esac', 'ask'],
    ['case a in a) cd other;;& *) make;; esac', 'ask'],
    ['case a in a) cd other;& b) ls;& c) make;; esac', 'ask'],
    ['command cd other && make', 'ask'],
    // Some systems have a program with this name, which doesn't change the folder.
    ['nice cd other && cat secret/key.txt', 'deny'],
    ['for f in "a /etc"; do ls $f; done', 'ask'],
  ])('%s: %s', async (command, verdict) => {
    expect(await verdictIn(fileSystem, command, { allow, deny: ['Read(./secret/**)'] })).toBe(
      verdict,
    )
  })
})
