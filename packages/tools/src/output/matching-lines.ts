import { spawn } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import { ToolError } from '@toolglot/agent'

/** The lines of a text that match a regular expression, found by ripgrep in linear time. */
export async function matchingLines(text: string, pattern: string): Promise<string> {
  const args = ['--no-config', '--no-line-number', '--color=never', '--text', '-e', pattern, '-']
  const child = spawn(rgPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let found = ''
  let problem = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (found += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (problem += part))
  child.stdin.on('error', () => {}) // It ends early if the pattern is invalid.
  child.stdin.end(text)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code === 0 || code === 1) return found
  throw new ToolError(
    'invalid_input',
    `Expected filter to be a regular expression: ${problem.trim()}`,
    {
      code: 'invalid_regex',
    },
  )
}
