import { expect, test } from 'vitest'
import { verdictIn, fileSystemWith } from '../../test/file-system.ts'
import type { Verdict } from '../rule/rule.ts'

const here = (body: string): string => `git commit -m "$(cat <<'EOF'\n${body}\nEOF\n)"`

test.each<[string, Verdict]>([
  [here('Fix (this) and "that"'), 'allow'],
  ['echo "$(echo "a)b" \\) "`date`")"', 'allow'],
  [here('a)"; rm -rf x; echo "$('), 'allow'],
  [here("it's odd"), 'allow'],
  [`echo "$(case a in a) echo 'b" ; rm -rf x; echo "c'; esac)"`, 'allow'],
  ['echo "$(date # ")"; rm -rf x; echo "\n)"', 'allow'],
  [`x=1; echo "$(echo "$(echo "$x" 'a"b')")"`, 'ask'],
])(
  'a substitution is printed so that Bash 3.2 parses it alike, or asks on macOS: %j %s',
  async (command, verdict) => {
    const allow = ['Bash(git:*)', 'Bash(echo:*)', 'Bash(date:*)']
    const fileSystem = fileSystemWith([])
    expect(await verdictIn(fileSystem, command, { allow })).toBe('allow')
    expect(await verdictIn({ ...fileSystem, platform: 'darwin' }, command, { allow })).toBe(verdict)
  },
)
